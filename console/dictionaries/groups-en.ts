import { plural } from './plural.ts'

const keysText = (count: number, shown: string): string =>
  plural(count, { one: `${shown} key`, other: `${shown} keys` })
const accountsText = (count: number, shown: string): string =>
  plural(count, { one: `${shown} account`, other: `${shown} accounts` })

export const texts = {
  title: 'Groups',
  lead: 'Every key belongs to a group. The group determines which models the key can call, and the price multiplier.',
  new: 'New group',
  search: 'Search by name',
  empty: { title: 'No groups yet', text: 'Every key needs a group. Create the first one.' },
  columns: {
    name: 'Name',
    multiplier: 'Multiplier',
    open: 'Open to',
    models: 'Models',
    upstreams: 'Upstreams',
    keys: 'Keys',
    accounts: 'Accounts',
    charged: 'Charged in 7 days',
    actions: 'Actions',
  },
  openTo: { all: 'everyone', subscribers: 'subscribers, named accounts', and: ', ' },
  allModels: (count: string) => `all (${count})`,
  someModels: (available: string, listed: string) => `${available} of ${listed}`,
  availableHint: 'Models on its list that are available now',
  asFallback: (shown: string) => `+${shown} as fallback`,
  fallbackKeys: (count: number, shown: string) =>
    `${keysText(count, shown)} ${count === 1 ? 'uses' : 'use'} it as a fallback`,
  requests: (shown: string) => `${shown} requests`,
  disabledBadge: 'Disabled',
  managedBadge: 'Managed',
  managed: 'This group is managed in the configuration file. Change it there, or duplicate it here.',
  actionsOf: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  duplicate: 'Duplicate',
  history: 'History',
  enable: 'Enable',
  disable: 'Disable',
  delete: 'Delete',
  /** Proposed for a duplicate. */
  copyName: (name: string) => `${name} copy`,
  form: {
    editTitle: (name: string) => `Edit ${name}`,
    create: 'Create group',
    name: 'Name',
    multiplier: 'Multiplier',
    multiplierHint: 'Applied to the price of each model: 0.8 is 20% off, 0 is free.',
    multiplierForm: 'Enter a number from 0 to 999,999, such as 0.85, with up to six decimal places.',
    models: 'Models',
    everyModel: 'All models, including ones added later',
    pick: 'Search for a model',
    noModels: 'Choose at least one model, or all of them.',
    upstreams: (names: string) => `Requests in this group go to ${names}.`,
    noUpstreams: 'Requests in this group reach no upstream.',
    upstreamsHint:
      'To send a model’s requests from this group only to certain upstreams, choose groups on its targets.',
    openModels: 'Models & prices',
    open: 'Open to',
    openAll: 'Everyone',
    openAllHint: 'Any account can create keys in it.',
    openSubscribers: 'Subscribers and named accounts',
    openSubscribersHint: 'Accounts with an active subscription that gives access to it, and selected accounts.',
    roles: 'Roles',
    rolesHint: 'Accounts with these roles can use it too.',
    enabled: 'Enabled',
    enabledHint: 'Keys in a disabled group are refused.',
  },
  effect: {
    title: 'Effect',
    noKeys: 'No key uses this group.',
    fallback: (count: number, shown: string) =>
      `${keysText(count, shown)} ${count === 1 ? 'uses' : 'use'} it as a fallback.`,
    users: (keys: { count: number; shown: string }, accounts: { count: number; shown: string }) =>
      `${keysText(keys.count, keys.shown)} of ${accountsText(accounts.count, accounts.shown)} ${keys.count === 1 ? 'uses' : 'use'} it.`,
    price: (amount: string) => `Based on last week’s usage: ${amount} per day.`,
    noUse: 'Not used in the last 7 days.',
    fromFree: 'It was free until now, so there are no charges to compare.',
    models: (count: number, names: string) =>
      plural(count, {
        one: `One model will no longer be available: ${names}`,
        other: `${count} models will no longer be available: ${names}`,
      }),
    disabled: 'Their requests will be refused, unless the key has a fallback group.',
    closed: 'Accounts that aren’t subscribed, named or in one of its roles will lose access.',
  },
  created: (name: string) => `Created ${name}.`,
  saved: (name: string) => `Saved ${name}.`,
  enabled: (name: string) => `Enabled ${name}.`,
  disabled: (name: string) => `Disabled ${name}.`,
  disabling: { title: (name: string) => `Disable ${name}?` },
  deleting: {
    title: (name: string) => `Delete ${name}?`,
    text: 'Usage records keep its name. This can’t be undone.',
    whereTo: 'Move its keys to',
    moving: (multiplier: string) => `Their requests will be charged at ${multiplier}.`,
    closed: 'That group isn’t open to everyone. Keys of accounts without access will be refused.',
    off: 'That group is disabled. Its keys will be refused.',
    noOther: 'There’s no other group to move its keys to. Create one first.',
    remaining: (shown: string) => `${shown} keys left to move`,
    action: 'Delete group',
    actionMoving: 'Move keys and delete',
    done: (name: string) => `Deleted ${name}.`,
  },
}

export type GroupsTexts = typeof texts
