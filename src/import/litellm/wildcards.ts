import type { ImportNotes, PlannedUpstream, ImportSettings } from '../import-plan.ts'
import { entriesOf } from '../source.ts'
import { PROVIDERS, type NamedProvider, providerOf } from './provider-table.ts'
import type { NamedVariables } from './named-variables.ts'
import type { Deployment } from './read-config.ts'

/** More than any provider has. */
const MODELS_LIMIT = 2_000
/** Each `*` multiplies what it takes to match a name. */
const PARTS_LIMIT = 4

/** Where the models of a name with `*` are looked up: in the price list, or in what the upstream lists. */
export const WILDCARD_SOURCES = ['catalogue', 'upstream'] as const
export type WildcardSource = (typeof WILDCARD_SOURCES)[number]

export function isWildcard({ name, params }: Pick<Deployment, 'name' | 'params'>): boolean {
  return name.includes('*') || String(params.get('model')).includes('*')
}

export interface WildcardsAbout {
  readonly variables: NamedVariables
  readonly notes: ImportNotes
  readonly settings: ImportSettings
  /** null: they are not looked up. */
  readonly source: WildcardSource | null
  /** What an upstream lists; null: it lists nothing, or does not answer. */
  readonly listModels: (upstream: PlannedUpstream) => Promise<readonly string[] | null>
}

/** `*` stands for the models of all providers: of those whose credential is there. */
export function withProviders(deployment: Deployment, { variables, source }: WildcardsAbout): readonly Deployment[] {
  const { name, params, id } = deployment
  const isOfAll = params.get('model') === '*' && !params.has('api_base') && !params.has('custom_llm_provider')
  if (!isOfAll || source === null) return [deployment]
  const there = Object.entries(PROVIDERS).filter(
    ([, provider]) => provider.variables.length > 0 && variables.hasAny(provider.variables),
  )
  return there.map(([provider]) => ({
    ...deployment,
    id: `${id} (${provider})`,
    name: name === '*' ? `${provider}/*` : name.replace('*', `${provider}/*`),
    params: new Map([...params, ['model', `${provider}/*`]]),
  }))
}

/** The names under which a deployment serves what, each with the provider's name of it. A sentence: why under none. */
export async function expanded(
  { id, name, named, upstream }: WildcardDeployment,
  about: WildcardsAbout,
): Promise<ReadonlyMap<string, string> | string> {
  const { notes, source } = about
  if (source === null) return UNEXPANDED
  if (!isOneToOne({ name, named })) return 'stand for many models (*) that have no names of their own there: name each'
  const models = await modelsOf({ named, upstream }, about)
  if (models === null) return 'stand for many models (*), of which their upstream gave no list: name each'
  if (models.length === 0) notes.note('model_list', id, 'stand for many models (*), of which the price list has none')
  if (models.length > MODELS_LIMIT)
    notes.note('model_list', id, `stand for more than ${MODELS_LIMIT} models (*): the first are carried`)
  return namesOf({ name, named }, models.slice(0, MODELS_LIMIT))
}

/** The names that the price list has for a name with `*`; null: it leaves open what it stands for. */
export function listedNames(
  of: Pick<WildcardDeployment, 'name' | 'named'>,
  { settings }: Pick<WildcardsAbout, 'settings'>,
): ReadonlyMap<string, string> | null {
  return isOneToOne(of) ? namesOf(of, namesInLists(of.named, settings).slice(0, MODELS_LIMIT)) : null
}

function isOneToOne({ name, named }: Pick<WildcardDeployment, 'name' | 'named'>): boolean {
  const [parts = 0, others = 0] = [name, named.model].map((pattern) => pattern.split('*').length)
  return parts === others && parts <= PARTS_LIMIT
}

interface WildcardDeployment {
  readonly id: string
  readonly name: string
  readonly named: NamedProvider
  readonly upstream: PlannedUpstream
}

const UNEXPANDED =
  'stand for many models (*): --wildcards catalogue serves those of the price list, --wildcards upstream those that their upstream lists'

/** What stands for each `*` in the provider's name stands for it in the other. */
function namesOf(
  { name, named }: Pick<WildcardDeployment, 'name' | 'named'>,
  models: readonly string[],
): ReadonlyMap<string, string> {
  const pattern = new RegExp(`^${named.model.split('*').map(RegExp.escape).join('(.*)')}$`)
  const names = new Map<string, string>()
  for (const model of models) {
    const parts = pattern.exec(model)?.slice(1)
    if (parts === undefined) continue
    let at = 0
    names.set(
      name.replaceAll('*', () => parts[at++] ?? ''),
      model,
    )
    // LiteLLM finds the provider of these by their names alone.
    if (name === `${named.name}/*` && providerOf(model, null).name === named.name) names.set(model, model)
  }
  return names
}

async function modelsOf(
  { named, upstream }: Pick<WildcardDeployment, 'named' | 'upstream'>,
  { settings, source, listModels }: WildcardsAbout,
): Promise<readonly string[] | null> {
  return source === 'upstream' ? listModels(upstream) : namesInLists(named, settings)
}

function namesInLists({ name, provider }: NamedProvider, settings: ImportSettings): readonly string[] {
  const listedAs = typeof provider === 'string' ? name : (provider.listedAs ?? name)
  const priced = entriesOf(settings.pricing).flatMap(([key, entry]) => {
    const isOfIt = [name, listedAs].includes(String(new Map(entriesOf(entry)).get('litellm_provider')))
    return isOfIt ? [key.startsWith(`${name}/`) ? key.slice(name.length + 1) : key] : []
  })
  return [...new Set([...priced, ...(settings.catalogue?.namesOf?.(listedAs) ?? [])])].sort()
}
