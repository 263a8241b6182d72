import { ONE_PPM } from '../../core/money.ts'
import { ImportNotes } from '../import-notes.ts'
import type { ImportPlan } from '../import-plan.ts'
import type { ImportSettings } from '../import-settings.ts'
import { planModels } from '../planned-models.ts'
import { listedPrices, pricesOfFields } from './prices.ts'
import type { SourceReader } from '../source.ts'
import { ModelAccess } from './model-access.ts'
import { NamedVariables } from './named-variables.ts'
import { type Deployment, readConfig } from './read-config.ts'
import { readDatabase } from './read-database.ts'
import { planDeployments } from './upstreams.ts'

const GROUP = 'default'
const NO_PEOPLE = { isWithoutPeople: true, plans: [], accounts: [], keys: [], subscriptions: [] } as const

/**
 * What is beside the configuration. `environment`: where the credentials are that it names by `os.environ/…`; `variables`:
 * those of them that may be read.
 */
export interface BesideConfig {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly variables: ReadonlySet<string> | null
  /** null: it was not given. */
  readonly database: SourceReader | null
}

/**
 * The plan for LiteLLM's proxy: of its configuration upstreams, models and prices, and of its database keys and who has them.
 * Throws ImportRefusal.
 */
export async function readLitellm(
  text: string,
  { environment, variables: allowed, database, ...settings }: ImportSettings & BesideConfig,
): Promise<ImportPlan> {
  const notes = new ImportNotes()
  const config = readConfig(text)
  if (config.hasDatabase && database === null) {
    notes.note('general_settings', null, 'names a database: its keys, users and teams are carried with --database')
  }
  if (config.hasFallbacks) notes.note('router_settings', null, 'has fallbacks to other models, which are not carried')
  for (const file of config.includes)
    notes.note('include', file, 'is another file: import it by itself, under a name of its own (--as)')
  const variables = new NamedVariables(environment, allowed)
  const { upstreams, served } = planDeployments(config.deployments, { variables, group: GROUP, notes })
  const aliased = [...config.aliases].flatMap(([name, to]) =>
    served.filter((each) => each.name === to).map(({ target }) => ({ name, target })),
  )
  const pricesOf = (name: string) =>
    priceOf(name, config.deployments, {
      aliases: config.aliases,
      listed: listedPrices(settings.pricing),
      settings,
      notes,
    })
  const models = planModels([...served, ...aliased], { table: 'model_list', pricesOf, notes })
  const access = new ModelAccess(
    models.map(({ name }) => name),
    config.deployments,
  )
  const people = database === null ? NO_PEOPLE : await readDatabase(database, { group: GROUP, access, settings, notes })
  return {
    product: 'litellm',
    groups: [{ name: GROUP, multiplier: ONE_PPM, isOpen: true, isEnabled: true, isOnlyAPlace: true }],
    upstreams,
    models,
    ...people,
    codes: [],
    variables: variables.named,
    notes: notes.notes,
    approximations: notes.approximations,
  }
}

/** The first deployment that says a price has it for the model; else the list of prices that was given. */
function priceOf(
  name: string,
  deployments: readonly Deployment[],
  about: {
    readonly aliases: ReadonlyMap<string, string>
    readonly listed: ReturnType<typeof listedPrices>
    readonly settings: ImportSettings
    readonly notes: ImportNotes
  },
) {
  const own = deployments.filter((each) => each.name === (about.aliases.get(name) ?? name))
  for (const { params, info } of own) {
    const prices = pricesOfFields(name, new Map([...info, ...params]), about)
    if (prices !== null) return prices
  }
  const names = own.flatMap(({ params, info }) => [info.get('base_model'), params.get('model')]).flatMap(namesOf)
  const listed = about.listed(names)
  return listed === null ? null : pricesOfFields(name, listed, about)
}

/** In LiteLLM's list models have their provider before them, or not. */
function namesOf(model: unknown): readonly string[] {
  return typeof model === 'string' ? [model, model.slice(model.indexOf('/') + 1)] : []
}
