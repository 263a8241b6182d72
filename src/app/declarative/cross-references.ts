import { objectionToCustomKey } from '../../access/custom-key.ts'
import { nearestName } from '../../core/near-names.ts'
import type { Path } from './located-yaml.ts'
import { priceProblems } from './price-fields.ts'
import type { Declaration } from './schema.ts'

/** What the database has already, by name; accounts by email address in lower case. */
export interface ExistingNames {
  readonly upstreams: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly plans: ReadonlySet<string>
  readonly accounts: ReadonlySet<string>
}

export interface ReferenceProblem {
  readonly path: Path
  readonly sentence: string
}

/** Names that are written twice, names that stand for nothing, custom keys that can be guessed, and absurd prices. */
export function referenceProblems(declaration: Declaration, existing: ExistingNames): readonly ReferenceProblem[] {
  const known = {
    upstream: new Set([...existing.upstreams, ...declaration.upstreams.map(({ name }) => name)]),
    model: new Set([...existing.models, ...declaration.models.map(({ name }) => name)]),
    group: new Set([...existing.groups, ...declaration.groups.map(({ name }) => name)]),
    plan: new Set([...existing.plans, ...declaration.plans.map(({ name }) => name)]),
    account: new Set([...existing.accounts, ...declaration.accounts.map(({ email }) => email.toLowerCase())]),
  }
  const missing = references(declaration).flatMap(({ path, kind, name }) => {
    if (known[kind].has(name)) return []
    const nearest = nearestName(name, known[kind])
    const hint = nearest === null ? `add it under ${kind}s` : `did you mean "${nearest}"?`
    return [{ path, sentence: `there is no ${kind} "${name}": ${hint}` }]
  })
  return [...repetitions(declaration), ...missing, ...guessableKeys(declaration), ...priceProblems(declaration)]
}

interface Reference {
  readonly path: Path
  readonly kind: 'upstream' | 'model' | 'group' | 'plan' | 'account'
  readonly name: string
}

function references({ models, groups, plans, accounts, keys }: Declaration): readonly Reference[] {
  const one = (kind: Reference['kind'], name: string, path: Path): Reference => ({ kind, name, path })
  const named = (kind: Reference['kind'], names: readonly string[], path: Path) =>
    names.map((name, i) => one(kind, name, [...path, i]))
  return [
    ...models.flatMap(({ targets }, i) =>
      targets.flatMap(({ upstream, groups: names }, k) => [
        one('upstream', upstream, ['models', i, 'targets', k, 'upstream']),
        ...named('group', names, ['models', i, 'targets', k, 'groups']),
      ]),
    ),
    ...groups.flatMap((group, i) => named('model', group.models, ['groups', i, 'models']).filter(isNotAll)),
    ...plans.flatMap((plan, i) => named('group', plan.groups, ['plans', i, 'groups'])),
    ...accounts.flatMap(({ subscription, subscriptions, openGroups, multipliers }, i) => [
      ...named('group', openGroups ?? [], ['accounts', i, 'open_groups']),
      ...(multipliers ?? []).map(({ group }, k) => one('group', group, ['accounts', i, 'multipliers', k, 'group'])),
      ...(subscription === null ? [] : [one('plan', subscription, ['accounts', i, 'subscription'])]),
      ...subscriptions.map(({ planName }, k) => one('plan', planName, ['accounts', i, 'subscriptions', k, 'plan'])),
    ]),
    ...keys.flatMap((key, i) => [
      one('account', key.email.toLowerCase(), ['keys', i, 'account']),
      one('group', key.group, ['keys', i, 'group']),
      ...named('group', key.fallbackGroups, ['keys', i, 'fallback_groups']),
      ...named('model', key.allowedModels, ['keys', i, 'allowed_models']),
    ]),
  ]
}

function isNotAll({ name }: Reference): boolean {
  return name !== '*'
}

function repetitions(declaration: Declaration): readonly ReferenceProblem[] {
  const { upstreams, models, groups, plans, accounts, keys } = declaration
  return [
    ...repeated(upstreams, ['upstreams', 'name'], ({ name }) => name),
    ...repeated(models, ['models', 'name'], ({ name }) => name),
    ...repeated(groups, ['groups', 'name'], ({ name }) => name),
    ...repeated(plans, ['plans', 'name'], ({ name }) => name),
    ...repeated(accounts, ['accounts', 'email'], ({ email }) => email.toLowerCase()),
    ...repeated(keys, ['keys', 'name'], ({ email, name }) => `${email.toLowerCase()}\n${name}`),
    ...repeated(keys, ['keys', 'custom_key'], ({ secret }) => (typeof secret === 'string' ? secret : secret.hash)),
    ...plans.flatMap(({ quotas }, i) => repeated(quotas, ['plans', i, 'quotas', 'window'], ({ window }) => window)),
    ...keys.flatMap(({ rateLimit }, i) =>
      repeated(rateLimit?.spend ?? [], ['keys', i, 'rate_limit', 'spend', 'window'], ({ window }) => window),
    ),
  ]
}

/** `at` is the path of the list and, last, the field that must be different in each of its entries. */
function repeated<Entry>(entries: readonly Entry[], at: Path, read: (entry: Entry) => string): ReferenceProblem[] {
  const seen = new Set<string>()
  const field = at.slice(-1)
  return entries.flatMap((entry, i) => {
    const value = read(entry)
    if (!seen.has(value)) {
      seen.add(value)
      return []
    }
    const sentence = `this ${String(field[0])} stands in the file twice: give each entry of ${String(at[0])} its own`
    return [{ path: [...at.slice(0, -1), i, ...field], sentence }]
  })
}

function guessableKeys({ keys }: Declaration): readonly ReferenceProblem[] {
  return keys.flatMap(({ secret, email, name }, i) => {
    if (typeof secret !== 'string') return []
    const why = objectionToCustomKey(secret, { email, keyName: name })
    if (why === null) return []
    return [{ path: ['keys', i, 'custom_key'], sentence: `this custom key cannot be used: ${why}` }]
  })
}
