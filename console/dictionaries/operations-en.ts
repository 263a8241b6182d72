import { plural } from './plural.ts'

export const operationsEn = {
  title: 'Operations',
  lead: 'What needs you, and how the week went.',
  needs: 'Needs attention',
  nothing: 'Nothing needs you',
  looked: (time: string) => `Last looked ${time}.`,
  hits: (count: number) => plural(count, { one: '1 request in 10 min', other: `${count} requests in 10 min` }),
  since: 'since',
  items: {
    credential_held: (name: string, upstream: string) => `The provider refuses the credential ${name} of ${upstream}`,
    spend_cap: (what: string, { used, limit }: { used: string; limit: string }) =>
      `${what} has cost ${used} of ${limit} today`,
    model_failing: (model: string) => `Most requests for ${model} fail at its upstreams`,
    no_target: (model: string, group: string) => `${group} has ${model}, but no target that it may use`,
    below_cost: (model: string, group: string, upstream: string) =>
      `${model} is sold below cost in ${group} at ${upstream}`,
    unreached: (model: string, group: string, upstream: string) =>
      `The target of ${model} at ${upstream} is never used in ${group}`,
    never_reached: (model: string, upstream: string) => `The target of ${model} at ${upstream} is never used`,
    no_weight: (model: string) => `The targets of ${model} that are asked first have no weight`,
    unpriced: (model: string) => `${model} isn’t served: it has no price`,
    model_unknown: (model: string) => `${model} is asked for and isn’t there`,
    backup_old: 'The newest backup is too old',
    no_backup: 'There’s no backup',
    no_balance: (email: string) => `${email} calls without a balance`,
  },
  because: {
    credential: 'It is refused: replace it, or test it once the provider takes it again.',
    no_credit: 'The provider says that its account has no money left: pay the provider, then test it.',
  },
  nearest: (model: string) => `The nearest is ${model}.`,
  advice: {
    credential_held: 'It is asked again at growing intervals. A good test releases it at once.',
    spend_cap: 'At the cap it is paused until midnight UTC.',
    model_failing: 'Over the last day. Test its upstreams.',
    no_target: 'Add a target, or take the model off the group.',
    below_cost: 'Raise the price or the multiplier, or set a least margin.',
    unreached: 'Change its priority or its groups, or remove it.',
    no_weight: 'Give one of them a weight above 0.',
    unpriced: 'Set its price.',
    model_unknown: 'Add it, or tell those who ask its right name.',
    backup_old: 'Look at what writes the files of TOLLGATE_BACKUP_FILES: its schedule, its log and its disk.',
    no_balance: 'Credit the account, or disable it.',
  },
  open: {
    model: 'Open the model',
    upstream: 'Open the upstream',
    account: 'Open the account',
    models: 'Open models',
  },
  setup: {
    title: 'Set up',
    lead: 'From nothing to a first answer of a provider.',
    done: 'Done',
    open: 'To do',
    steps: {
      provider: 'Connect a provider',
      model: 'Give one of its models a price',
      group: 'Put the model in a group',
      answered: 'Get a first answer',
      people: 'Invite people',
    },
  },
  margins: {
    action: 'Margins as CSV',
    by: {
      upstream: 'By upstream, last 30 days',
      credential: 'By credential, last 30 days',
      model: 'By model, last 30 days',
      group: 'By group, last 30 days',
      fault: 'By error, last 30 days',
    },
  },
  week: {
    title: 'The last seven days',
    requests: 'Requests',
    failed: 'Failed',
    charged: 'Charged',
    margin: 'Margin',
    before: (figure: string) => `${figure} in the week before`,
    blame: (client: string, gateway: string, upstream: string) =>
      `callers ${client} · gateway ${gateway} · upstreams ${upstream}`,
  },
}

export type OperationsTexts = typeof operationsEn
