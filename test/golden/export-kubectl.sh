#!/usr/bin/env bash
# A counterexample of reapcheck as a regression test: late-dependent-orphan.
# A dependent of another kind is created just before its owner is deleted with policy Orphan. If the
# collector has not seen it in time, the dependent is collected instead of orphaned.
#
# The run violates: orphaned objects are not collected.
# The test says how it should be. So it FAILS while the defect is there, and passes once the
# operator (or the order of its requests) is right. Keep it then.
#
# bash FILE.sh
#
# It starts "reapcheck serve" with the token of the run (REAPCHECK names another command for it).
# With TEST_KUBECONFIG, it uses that cluster instead and creates the objects there: take one for
# tests.
# OPERATOR is a command that is started first, with KUBECONFIG set to a file of its own.
# Exit code 1: not as it should be.
#
# 13 steps of the run are not among the 2 requests below: which worker acts, and
# how late a cache is. reapcheck serve forces their order. On a real cluster nothing can: there the
# test passes if the order is another one, and a pass proves little.
set -euo pipefail

TOKEN=rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8
# The controller of the run that OPERATOR plays, unless PLAYS names another one.
CONTROLLER=''
PATIENCE=${PATIENCE:-20}

# Uids in the run, and the uids here, in the same order.
run_uids=()
here_uids=()
# Not empty: the server has the objects of the run, with their uids, and repeats it.
run=''
version=''
progress=''
background=()
# Not empty: nothing is left to do, so nothing becomes true any more.
over=''

fail() {
  echo "not as it should be: $1" >&2
  exit 1
}

clean() {
  [[ -z ${server:-} ]] || kill "$server" 2>/dev/null || true
  [[ -z ${operator:-} ]] || kill -- "-$operator" 2>/dev/null || true
  rm -rf "$folder"
}

connect() {
  folder=$(mktemp -d)
  trap clean EXIT
  export KUBECONFIG=${TEST_KUBECONFIG:-$folder/kubeconfig.yaml}
  local of_operator=$KUBECONFIG
  if [[ -z ${TEST_KUBECONFIG:-} ]]; then
    plays=()
    if [[ -n ${OPERATOR:-} && -n ${PLAYS:-$CONTROLLER} ]]; then
      # The server knows the operator by its kubeconfig.
      of_operator=$folder/operator.yaml
      plays=(--plays "${PLAYS:-$CONTROLLER}" --operator-kubeconfig "$of_operator")
    fi
    ${REAPCHECK:-npx reapcheck} serve --schedule "$TOKEN" ${plays[@]+"${plays[@]}"} --kubeconfig "$KUBECONFIG" >/dev/null 2>"$folder/said" &
    server=$!
    until grep -q 'serving http' "$folder/said"; do
      kill -0 "$server" 2>/dev/null || { cat "$folder/said" >&2; exit 2; }
      sleep 0.1
    done
    run=yes
  fi
  if [[ -n ${OPERATOR:-} ]]; then
    set -m
    KUBECONFIG=$of_operator bash -c "$OPERATOR" &
    operator=$!
    set +m
  fi
}

# Reads how far the run is; nothing on a real cluster.
look() {
  progress=$(kubectl get --raw /reapcheck/run 2>/dev/null || true)
}

# The value of a field of what was read.
field() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([a-z0-9]*\).*/\1/p" <<<"$progress"
}

# Waits until the run wants this step, or until it is over.
at() {
  [[ $run && -n $1 ]] || return 0
  local end=$((SECONDS + PATIENCE))
  while ((SECONDS < end)); do
    look
    [[ $(field state) == waits && $(field step) != "$1" ]] || return 0
    sleep 0.1
  done
}

# Sends a request, and goes on when it is answered. A refusal is an answer, too.
send() {
  at "$1"
  "${@:2}" >/dev/null || true
}

# Sends a request whose answer comes after the next one is sent. A real cluster answers at once.
begin() {
  if [[ ! $run ]]; then
    send "$@"
    return
  fi
  at "$1"
  "${@:2}" >/dev/null 2>&1 &
  background+=($!)
}

# JSON with the uids of this cluster.
here() {
  local text=$1 index
  for index in "${!run_uids[@]}"; do
    text=${text//"\"uid\":\"${run_uids[index]}\""/"\"uid\":\"${here_uids[index]}\""}
  done
  printf '%s' "$text"
}

here_uid() {
  local index
  for index in "${!run_uids[@]}"; do
    if [[ ${run_uids[index]} == "$1" ]]; then
      printf '%s' "${here_uids[index]}"
      return
    fi
  done
  printf '%s' "$1"
}

here_all() {
  local uid separator=''
  for uid in "$@"; do
    printf '%s%s' "$separator" "$(here_uid "$uid")"
    separator=' '
  done
}

# UID MANIFEST
create() {
  local uid
  uid=$(here "$2" | kubectl create --validate=false -f - -o 'jsonpath={.metadata.uid}') || return 0
  run_uids+=("$1")
  here_uids+=("$uid")
}

start() {
  [[ ! $run ]] || return 0
  local before=${#run_uids[@]}
  create "$@"
  ((${#run_uids[@]} > before)) || { echo "the cluster cannot have an object of the start" >&2; exit 2; }
}

# VERSION PATCH RESOURCE NAME...
patch() {
  local patch
  patch=$(here "$2")
  if [[ -n $1 ]]; then
    if [[ $patch == *'"metadata":{'* ]]; then
      patch=${patch/'"metadata":{'/"\"metadata\":{\"resourceVersion\":\"$1\","}
    else
      patch="{\"metadata\":{\"resourceVersion\":\"$1\"}${patch:+,${patch#\{}}"
      patch=${patch/%,\}/\}}
    fi
  fi
  kubectl patch "${@:3}" --type merge --patch "$patch"
}

# VERSION OPTIONS PATH: a DELETE with the options as they are
delete_raw() {
  local options
  options=$(here "$2")
  if [[ -n $1 && $options == *'"preconditions":{'* ]]; then
    options=${options/'"preconditions":{'/"\"preconditions\":{\"resourceVersion\":\"$1\","}
  elif [[ -n $1 ]]; then
    options="{\"preconditions\":{\"resourceVersion\":\"$1\"},${options#\{}"
    options=${options/%,\}/\}}
  fi
  kubectl delete --raw "$3" -f - <<<"$options"
}

version_of() {
  kubectl get "$@" -o 'jsonpath={.metadata.resourceVersion}' 2>/dev/null || true
}

# Waits until nothing is left to do, as far as the cluster says so.
rest() {
  local calm=0 end=$((SECONDS + PATIENCE / 4))
  # An operator acts in its own time.
  [[ -z ${operator:-} ]] || end=$((SECONDS + PATIENCE))
  ((${#background[@]} == 0)) || wait "${background[@]}" || true
  look
  if [[ -z $(field quiet) ]]; then
    sleep $((PATIENCE / 2))
    return
  fi
  while ((calm < 4 && SECONDS < end)); do
    look
    if [[ $(field quiet) == true && $(field state) != waits ]]; then
      calm=$((calm + 1))
    else
      calm=0
    fi
    sleep 0.1
  done
  ((calm < 4)) || [[ -n ${operator:-} ]] || over=yes
  look
  if [[ $run && $(field state) != complete ]]; then
    echo "note: the run was not repeated to its end: $(field state) at step $(field step)" >&2
  fi
}

# WORDS RESOURCE NAME...
gone() {
  local found
  if ! found=$(kubectl get "${@:2}" -o name --ignore-not-found 2>&1); then
    # A definition that is gone has taken its objects with it. Else nothing is known.
    [[ $found == *"doesn't have a resource type"* ]] || fail "$1 (cannot be read: $found)"
    return 0
  fi
  [[ -n $found ]] || return 0
  [[ ! $over ]] || fail "$1"
  kubectl wait "${@:2}" --for=delete --timeout="${PATIENCE}s" >/dev/null || fail "$1"
}

there() {
  kubectl get "${@:2}" -o name >/dev/null || fail "$1"
}

# WORDS UID RESOURCE NAME...: an absent object of another cluster has no uid to compare
same_uid() {
  same "$1" "$(here_uid "$2")" '{.metadata.uid}' "${@:3}"
}

# WORDS WANTED JSONPATH RESOURCE NAME...
same() {
  local found
  found=$(kubectl get "${@:4}" -o "jsonpath=$3") || fail "$1"
  [[ $found == "$2" ]] || fail "$1 ($3 is '$found', expected '$2')"
}

# WORDS WANTED RESOURCE NAME...
deleting() {
  local found
  found=$(kubectl get "${@:3}" -o 'jsonpath={.metadata.deletionTimestamp}') || fail "$1"
  [[ ${found:+true} == "$2" ]] || fail "$1 (deletionTimestamp is '$found')"
}

connect

# With the token, the server has these objects already.
start uid-a '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}'

# user: POST Secret/late
send 1 create uid-late '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"late","namespace":"default","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"uid-a","blockOwnerDeletion":true}]}}'
# user: DELETE ConfigMap/a propagationPolicy=Orphan
send 2 kubectl delete configmaps a --namespace default --cascade=orphan --wait=false

rest
there 'Secret/late must still be there' secrets late --namespace default
same_uid 'Secret/late must still be there' uid-late secrets late --namespace default
echo 'ok: late-dependent-orphan'
