// A counterexample of reapcheck as a regression test: late-dependent-orphan.
// A dependent of another kind is created just before its owner is deleted with policy Orphan. If the
// collector has not seen it in time, the dependent is collected instead of orphaned.
//
// The run violates: orphaned objects are not collected.
// The test says how it should be. So it FAILS while the defect is there, and passes once the
// operator (or the order of its requests) is right. Keep it then.
//
// Put it into a package with controller-runtime and apimachinery, then:
// npx reapcheck serve --schedule TOKEN --kubeconfig kubeconfig.yaml (TOKEN is below)
// TEST_KUBECONFIG=kubeconfig.yaml go test -run TestCounterexample ./...
//
// TEST_KUBECONFIG may also be that of another cluster: the test creates the objects there.
// Start your manager before the first request: with envtest, UseExistingCluster and this config.
//
// 13 steps of the run are not among the 2 requests below: which worker acts, and
// how late a cache is. reapcheck serve forces their order. On a real cluster nothing can: there the
// test passes if the order is another one, and a pass proves little.

package counterexample

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const token = "rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8"

// The number of the last step that is a request.
const steps = 2

func TestCounterexample(t *testing.T) {
	c := connect(t)

	// With the token, the server has these objects already.
	c.start(ref("v1", "ConfigMap", "default", "a"), "uid-a", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}", "")

	// user: POST Secret/late
	c.send(1, "create", ref("v1", "Secret", "default", "late"), "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"late\",\"namespace\":\"default\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"a\",\"uid\":\"uid-a\",\"blockOwnerDeletion\":true}]}}", "uid-late")
	// user: DELETE ConfigMap/a propagationPolicy=Orphan
	c.send(2, "delete", ref("v1", "ConfigMap", "default", "a"), "{\"propagationPolicy\":\"Orphan\"}", "")

	c.rest()
	c.there(ref("v1", "Secret", "default", "late"), "{\"uid\":\"uid-late\",\"finalizers\":null,\"owners\":null,\"deleting\":null}", "Secret/late must still be there")
}

// How long to wait for what must become true.
const patience = 20 * time.Second

type cluster struct {
	t      *testing.T
	client client.Client
	http   *http.Client
	host   string
	// The server has the objects of the run, with their uids, and repeats it.
	isRun bool
	mutex sync.Mutex
	// By uid in the run: the uid here.
	uids     map[string]string
	versions map[string]string
	sent     sync.WaitGroup
}

type progress struct {
	State string
	Step  int
	Of    int
	Quiet bool
}

type end struct {
	UID        string
	Finalizers []string
	Owners     []string
	Deleting   *bool
}

func connect(t *testing.T) *cluster {
	kubeconfig := os.Getenv("TEST_KUBECONFIG")
	if kubeconfig == "" {
		t.Skip("TEST_KUBECONFIG is not set. Start: npx reapcheck serve --kubeconfig kubeconfig.yaml --schedule " + token)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	web, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, client: made, http: web, host: config.Host, uids: map[string]string{}, versions: map[string]string{}}
	run, isServed := c.progress()
	c.isRun = isServed && run.State == "waits" && run.Of >= steps
	return c
}

func ref(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// progress of the repetition; false on a cluster that is not reapcheck serve.
func (c *cluster) progress() (progress, bool) {
	var run progress
	answer, err := c.http.Get(c.host + "/reapcheck/run")
	if err != nil {
		return run, false
	}
	defer answer.Body.Close()
	isServed := answer.StatusCode == http.StatusOK && json.NewDecoder(answer.Body).Decode(&run) == nil
	return run, isServed
}

func until(patience time.Duration, isTrue func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if isTrue() {
			return true
		}
	}
	return isTrue()
}

// at waits until the run wants this step, or until it is over.
func (c *cluster) at(step int) {
	if !c.isRun {
		return
	}
	until(patience, func() bool {
		run, _ := c.progress()
		return run.State != "waits" || run.Step == step
	})
}

// field is a uid as JSON has it.
func field(uid string) string {
	data, _ := json.Marshal(map[string]string{"uid": uid})
	return strings.Trim(string(data), "{}")
}

// here replaces the uids of the run by those of this cluster.
func (c *cluster) here(text string) []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for known, uid := range c.uids {
		text = strings.ReplaceAll(text, field(known), field(uid))
	}
	return []byte(text)
}

func (c *cluster) start(object *unstructured.Unstructured, uid, manifest, deleted string) {
	if c.isRun {
		return
	}
	if err := c.create(object, uid, manifest); err != nil {
		c.t.Fatal(err)
	}
	if deleted != "" {
		_ = c.client.Delete(context.Background(), object, client.PropagationPolicy(deleted))
	}
}

func (c *cluster) create(object *unstructured.Unstructured, uid, manifest string) error {
	made := &unstructured.Unstructured{}
	if err := json.Unmarshal(c.here(manifest), &made.Object); err != nil {
		return err
	}
	if err := c.client.Create(context.Background(), made); err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.uids[uid] = string(made.GetUID())
	return nil
}

// do sends a request. Name is the uid of a new object in the run, or the user whose version is demanded.
func (c *cluster) do(verb string, object *unstructured.Unstructured, body, name string) error {
	ctx := context.Background()
	version, demands := c.versions[name]
	switch verb {
	case "create":
		return c.create(object, name, body)
	case "patch":
		patch := &unstructured.Unstructured{}
		if err := json.Unmarshal(c.here(body), &patch.Object); err != nil {
			return err
		}
		if demands {
			patch.SetResourceVersion(version)
		}
		data, err := json.Marshal(patch.Object)
		if err != nil {
			return err
		}
		return c.client.Patch(ctx, object, client.RawPatch(types.MergePatchType, data))
	default:
		var raw metav1.DeleteOptions
		if err := json.Unmarshal(c.here(body), &raw); err != nil {
			return err
		}
		if demands {
			if raw.Preconditions == nil {
				raw.Preconditions = &metav1.Preconditions{}
			}
			raw.Preconditions.ResourceVersion = &version
		}
		options := &client.DeleteOptions{
			Raw:                &raw,
			GracePeriodSeconds: raw.GracePeriodSeconds,
			PropagationPolicy:  raw.PropagationPolicy,
			Preconditions:      raw.Preconditions,
			DryRun:             raw.DryRun,
		}
		if object.GetName() == "" {
			return c.client.DeleteAllOf(ctx, object, client.InNamespace(object.GetNamespace()), &client.DeleteAllOfOptions{DeleteOptions: *options})
		}
		return c.client.Delete(ctx, object, options)
	}
}

// send sends a request, and goes on when it is answered. A refusal is an answer, too.
func (c *cluster) send(step int, verb string, object *unstructured.Unstructured, body, name string) {
	c.at(step)
	if err := c.do(verb, object, body, name); err != nil {
		c.t.Log(err)
	}
}

// begin sends a request whose answer comes after the next one is sent. A real cluster answers at once.
func (c *cluster) begin(step int, verb string, object *unstructured.Unstructured, body, name string) {
	if !c.isRun {
		c.send(step, verb, object, body, name)
		return
	}
	c.at(step)
	c.sent.Add(1)
	go func() {
		defer c.sent.Done()
		_ = c.do(verb, object, body, name)
	}()
}

func (c *cluster) get(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	found := object.DeepCopy()
	err := c.client.Get(context.Background(), client.ObjectKeyFromObject(object), found)
	return found, err
}

func (c *cluster) read(step int, object *unstructured.Unstructured, user string) {
	c.at(step)
	if found, err := c.get(object); err == nil {
		c.versions[user] = found.GetResourceVersion()
	}
}

// rest waits until nothing is left to do, as far as the cluster says so.
func (c *cluster) rest() {
	c.sent.Wait()
	if _, isServed := c.progress(); !isServed {
		time.Sleep(patience / 2)
		return
	}
	calm := 0
	until(patience/4, func() bool {
		run, _ := c.progress()
		calm++
		if !run.Quiet || run.State == "waits" {
			calm = 0
		}
		return calm == 5
	})
	if run, _ := c.progress(); c.isRun && run.State != "complete" {
		c.t.Logf("the run was not repeated to its end: %s at step %d", run.State, run.Step)
	}
}

func (c *cluster) gone(object *unstructured.Unstructured, words string) {
	isGone := until(patience, func() bool {
		_, err := c.get(object)
		return client.IgnoreNotFound(err) == nil && err != nil
	})
	if !isGone {
		c.t.Error(words)
	}
}

func (c *cluster) there(object *unstructured.Unstructured, wanted, words string) {
	found, err := c.get(object)
	if err != nil {
		c.t.Error(words, err)
		return
	}
	var end end
	if err := json.Unmarshal(c.here(wanted), &end); err != nil {
		c.t.Fatal(err)
	}
	if end.UID != "" && string(found.GetUID()) != end.UID {
		c.t.Error(words, "uid", found.GetUID())
	}
	if end.Finalizers != nil && !(len(end.Finalizers) == 0 && len(found.GetFinalizers()) == 0) && !reflect.DeepEqual(found.GetFinalizers(), end.Finalizers) {
		c.t.Error(words, "finalizers", found.GetFinalizers())
	}
	if end.Owners != nil {
		owners := []string{}
		for _, owner := range found.GetOwnerReferences() {
			owners = append(owners, string(owner.UID))
		}
		wanted := []string{}
		for _, owner := range end.Owners {
			if uid, known := c.uids[owner]; known {
				owner = uid
			}
			wanted = append(wanted, owner)
		}
		if !reflect.DeepEqual(owners, wanted) {
			c.t.Error(words, "owners", owners)
		}
	}
	if end.Deleting != nil && (found.GetDeletionTimestamp() != nil) != *end.Deleting {
		c.t.Error(words, "deletionTimestamp", found.GetDeletionTimestamp())
	}
}
