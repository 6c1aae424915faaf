// Package clientgo tries "reapcheck serve" with client-go, as the tests of an operator use an API
// server: typed and dynamic clients, informers, patches, server-side apply, evictions, cascades.
//
//	npx reapcheck serve --kubeconfig kubeconfig.yaml &
//	go mod tidy
//	TEST_KUBECONFIG=kubeconfig.yaml go test ./...
package clientgo

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	applyv1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

const patience = 20 * time.Second

func connect(t *testing.T) (*rest.Config, *kubernetes.Clientset, context.Context) {
	t.Helper()
	kubeconfig := os.Getenv("TEST_KUBECONFIG")
	if kubeconfig == "" {
		t.Skip("TEST_KUBECONFIG is not set. Start: npx reapcheck serve --kubeconfig kubeconfig.yaml")
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	return config, client, ctx
}

func namespace(t *testing.T, client *kubernetes.Clientset, ctx context.Context) string {
	t.Helper()
	given := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	made, err := client.CoreV1().Namespaces().Create(ctx, given, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Name
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	err := wait.PollImmediate(50*time.Millisecond, patience, func() (bool, error) { return is(), nil })
	if err != nil {
		t.Fatalf("in vain: %s", what)
	}
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func configMap(name string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: owners},
		Data:       map[string]string{"a": "1"},
	}
}

func ownedBy(owner *corev1.ConfigMap) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID,
		Controller: &yes, BlockOwnerDeletion: &yes,
	}
}

func TestDeletionInEachCascade(t *testing.T) {
	_, client, ctx := connect(t)
	maps := client.CoreV1().ConfigMaps(namespace(t, client, ctx))
	for _, policy := range []metav1.DeletionPropagation{"Foreground", "Background", "Orphan"} {
		owner := must(maps.Create(ctx, configMap("owner"), metav1.CreateOptions{}))(t)
		must(maps.Create(ctx, configMap("dependent", ownedBy(owner)), metav1.CreateOptions{}))(t)
		uid := owner.UID
		options := metav1.DeleteOptions{PropagationPolicy: &policy, Preconditions: &metav1.Preconditions{UID: &uid}}
		if err := maps.Delete(ctx, "owner", options); err != nil {
			t.Fatal(err)
		}
		gone := func(name string) func() bool {
			return func() bool {
				_, err := maps.Get(ctx, name, metav1.GetOptions{})
				return apierrors.IsNotFound(err)
			}
		}
		eventually(t, string(policy)+": the owner goes", gone("owner"))
		if policy != metav1.DeletePropagationOrphan {
			eventually(t, string(policy)+": the dependent goes", gone("dependent"))
			continue
		}
		left := must(maps.Get(ctx, "dependent", metav1.GetOptions{}))(t)
		if len(left.OwnerReferences) != 0 {
			t.Errorf("the orphan has %v", left.OwnerReferences)
		}
	}
}

func TestConflictsAndRetries(t *testing.T) {
	_, client, ctx := connect(t)
	maps := client.CoreV1().ConfigMaps(namespace(t, client, ctx))
	stale := must(maps.Create(ctx, configMap("a"), metav1.CreateOptions{}))(t)
	if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		t.Errorf("a second POST: %v", err)
	}
	patch := []byte(`{"metadata":{"labels":{"app":"web"}}}`)
	must(maps.Patch(ctx, "a", types.MergePatchType, patch, metav1.PatchOptions{}))(t)
	stale.Data["a"] = "2"
	if _, err := maps.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("a stale PUT: %v", err)
	}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		fresh, err := maps.Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return err
		}
		fresh.Data["a"] = "2"
		_, err = maps.Update(ctx, fresh, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		t.Error(err)
	}
	found := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "app in (web)"}))(t)
	if len(found.Items) != 1 || found.Items[0].Data["a"] != "2" {
		t.Errorf("the list has %v", found.Items)
	}
}

func TestServerSideApply(t *testing.T) {
	_, client, ctx := connect(t)
	space := namespace(t, client, ctx)
	maps := client.CoreV1().ConfigMaps(space)
	must(maps.Create(ctx, configMap("a"), metav1.CreateOptions{FieldManager: "maker"}))(t)
	mine := applyv1.ConfigMap("a", space).WithData(map[string]string{"a": "2"}).WithFinalizers("example.com/hold")
	_, err := maps.Apply(ctx, mine, metav1.ApplyOptions{FieldManager: "me"})
	if !apierrors.IsConflict(err) {
		t.Fatalf("an apply of the field of another manager: %v", err)
	}
	causes := err.(apierrors.APIStatus).Status().Details.Causes
	if len(causes) != 1 || causes[0].Type != metav1.CauseTypeFieldManagerConflict || causes[0].Field != ".data.a" {
		t.Errorf("the causes are %v", causes)
	}
	applied := must(maps.Apply(ctx, mine, metav1.ApplyOptions{FieldManager: "me", Force: true}))(t)
	// What client-go extracts is what the manager owns.
	extracted := must(applyv1.ExtractConfigMap(applied, "me"))(t)
	if extracted.Data["a"] != "2" || len(extracted.Finalizers) != 1 {
		text, _ := json.Marshal(extracted)
		t.Errorf("the manager owns %s", text)
	}
	mine.Finalizers = nil
	if rest := must(maps.Apply(ctx, mine, metav1.ApplyOptions{FieldManager: "me"}))(t); len(rest.Finalizers) != 0 {
		t.Errorf("a finalizer that is given up stays: %v", rest.Finalizers)
	}
}

func TestInformerSeesWhatHappens(t *testing.T) {
	_, client, ctx := connect(t)
	space := namespace(t, client, ctx)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(space))
	informer := factory.Core().V1().ConfigMaps()
	deleted := make(chan string, 10)
	informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(object interface{}) { deleted <- object.(*corev1.ConfigMap).Name },
	})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	maps := client.CoreV1().ConfigMaps(space)
	held := configMap("held")
	held.Finalizers = []string{"example.com/hold"}
	must(maps.Create(ctx, held, metav1.CreateOptions{}))(t)
	if err := maps.Delete(ctx, "held", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the cache has the deletionTimestamp", func() bool {
		found, err := informer.Lister().ConfigMaps(space).Get("held")
		return err == nil && found.DeletionTimestamp != nil
	})
	patch := []byte(`[{"op":"remove","path":"/metadata/finalizers"}]`)
	must(maps.Patch(ctx, "held", types.JSONPatchType, patch, metav1.PatchOptions{}))(t)
	select {
	case name := <-deleted:
		if name != "held" {
			t.Errorf("%s was deleted", name)
		}
	case <-time.After(patience):
		t.Error("no DELETED event came")
	}
}

func TestEvictionsAndBudgets(t *testing.T) {
	_, client, ctx := connect(t)
	space := namespace(t, client, ctx)
	pods := client.CoreV1().Pods(space)
	labels := map[string]string{"app": "web"}
	pod := must(pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}, metav1.CreateOptions{}))(t)
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	must(pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}))(t)
	budgets := client.PolicyV1().PodDisruptionBudgets(space)
	budget := must(budgets.Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}},
	}, metav1.CreateOptions{}))(t)
	// Until a budget has a status, client-go waits and tries again by itself.
	budget.Status.ObservedGeneration = budget.Generation
	budget = must(budgets.UpdateStatus(ctx, budget, metav1.UpdateOptions{}))(t)
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: space}}
	err := pods.EvictV1(ctx, eviction)
	if !apierrors.IsTooManyRequests(err) || !apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause) {
		t.Errorf("an eviction that the budget forbids: %v", err)
	}
	budget.Status.DisruptionsAllowed = 1
	must(budgets.UpdateStatus(ctx, budget, metav1.UpdateOptions{}))(t)
	if err := pods.EvictV1(ctx, eviction); err != nil {
		t.Error(err)
	}
	eventually(t, "the pod goes", func() bool {
		_, err := pods.Get(ctx, "web", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func TestNamespaceTerminates(t *testing.T) {
	config, client, ctx := connect(t)
	space := namespace(t, client, ctx)
	any := must(dynamic.NewForConfig(config))(t)
	resource := any.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(space)
	must(client.CoreV1().ConfigMaps(space).Create(ctx, configMap("a"), metav1.CreateOptions{}))(t)
	must(resource.Get(ctx, "a", metav1.GetOptions{}))(t)
	if err := client.CoreV1().Namespaces().Delete(ctx, space, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace goes with its contents", func() bool {
		_, err := client.CoreV1().Namespaces().Get(ctx, space, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	if _, err := resource.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the contents: %v", err)
	}
}

func TestWrongObjectsAreRefused(t *testing.T) {
	_, client, ctx := connect(t)
	space := namespace(t, client, ctx)
	_, err := client.CoreV1().Pods(space).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) {
		t.Errorf("a pod without containers: %v", err)
	}
	if _, err := client.CoreV1().ConfigMaps("nowhere").Create(ctx, configMap("a"), metav1.CreateOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("an object in no namespace: %v", err)
	}
}
