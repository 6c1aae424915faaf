import { NOTHING, row, type Transition } from './transition.ts';

export const CLIENTS: readonly Transition[] = [
  row(
    'request',
    'create',
    'createHandler',
    'users/users.ts',
    'labels, spec and status: deletion does not read them',
  ),
  row('request', 'update', 'UpdateResource', 'users/users.ts', 'a PUT is the change that it makes'),
  row(
    'request',
    'patch',
    'PatchResource',
    'users/users.ts',
    'a patch is the change that it makes, worked out anew on what is stored',
  ),
  row('request', 'delete', 'DeleteResource', 'users/users.ts', NOTHING),
  row(
    'request',
    'deletecollection',
    'DeleteCollection',
    'users/users.ts',
    'selectors: all objects of the kind in the namespace are meant',
  ),
  row(
    'removeThirdPartyFinalizer',
    '',
    'the contract of finalizers',
    'users/finalizer-owners.ts#removeThirdPartyFinalizer',
    'what the party does before: it may act at any time once deletion has begun',
  ),
  row(
    'removeFinalizerAtWill',
    '',
    'the contract of finalizers',
    'users/finalizer-owners.ts',
    'the same; nothing says that this party ever acts',
  ),
];

export const API_SERVER: readonly Transition[] = [
  row(
    'serve',
    'create admit',
    'NamespaceLifecycle.Admit',
    'apiserver/create.ts#stepCreate',
    'other admission plugins: they do not read what deletion reads',
  ),
  row('serve', 'create write', 'Store.Create', 'apiserver/create.ts#writeNew', NOTHING),
  row('serve', 'delete get', 'Store.Delete', 'apiserver/delete.ts#get', NOTHING),
  row(
    'serve',
    'delete terminate',
    'REST.Delete of namespaces',
    'apiserver/delete.ts#terminate',
    'its two reads are one: what the first shows cannot change back',
  ),
  row(
    'serve',
    'delete update',
    'Store.updateForGracefulDeletionAndFinalizers',
    'apiserver/delete.ts#updateBeforeDelete',
    'retries of the transaction: one that loses decides again, as one that comes later',
  ),
  row(
    'serve',
    'delete remove',
    'store.conditionalDelete',
    'apiserver/delete.ts#removeFromStore',
    NOTHING,
  ),
  row(
    'serve',
    'delete removeMarked',
    'store.conditionalDelete after BeforeDelete',
    'apiserver/delete.ts#removeFromStore apiserver/graceful.ts#startGracefully',
    'the length of grace periods: a kubelet or user may come at any time',
  ),
  row(
    'serve',
    'deleteCollection list',
    'Store.DeleteCollection',
    'apiserver/delete-collection.ts#stepDeleteCollection',
    'pages of the list: DeleteCollection asks for all at once',
  ),
  row(
    'serve',
    'deleteCollection items',
    'Store.DeleteCollection',
    'apiserver/delete-collection.ts#stepItem',
    'more than one worker: the default is one',
  ),
  row(
    'serve',
    'update update',
    'Store.Update',
    'apiserver/update.ts#update',
    'resourceVersions: only "is it still the one that was read?" is ever asked',
  ),
  row(
    'serve',
    'update remove',
    'Store.deleteWithoutFinalizers',
    'apiserver/update.ts#removeEmptied',
    NOTHING,
  ),
];
