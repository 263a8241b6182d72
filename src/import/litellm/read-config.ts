import { entriesOf, ImportRefusal } from '../source.ts'
import { type LitellmConfigFile, sectionsOf } from './config-files.ts'

type ConfigFields = ReadonlyMap<string, unknown>

/** One entry of `model_list`. */
export interface Deployment {
  /** Counted from 1, as it stands in the list. */
  readonly id: string
  readonly name: string
  /** `litellm_params`, with what they take from `credential_list`, and `model_info`. */
  readonly params: ConfigFields
  readonly info: ConfigFields
  /** The name of a credential that it takes and that is not in the list; null: none. */
  readonly lacks: string | null
}

/** The models that are asked where another fails. */
export interface Fallbacks {
  /** Fallbacks by the model that was asked for. */
  readonly of: ReadonlyMap<string, readonly string[]>
  /** Fallbacks of models that have none of their own. */
  readonly standard: readonly string[]
  /** There are others beside, for prompts that are too long or refused. */
  readonly hasOthers: boolean
}

/** What LiteLLM's configuration says of models. */
export interface LitellmConfig {
  readonly deployments: readonly Deployment[]
  /** Other names of models, by these names. */
  readonly aliases: ReadonlyMap<string, string>
  readonly fallbacks: Fallbacks
  /** `environment_variables`: what it sets by itself. */
  readonly variables: ReadonlyMap<string, string>
  readonly hasDatabase: boolean
}

/** Throws ImportRefusal for what YAML does not allow, and for YAML without a list of models. */
export async function readConfig(file: LitellmConfigFile): Promise<LitellmConfig> {
  const config = await sectionsOf(file)
  const list = config.get('model_list')
  if (!Array.isArray(list)) {
    throw new ImportRefusal('The source has no model_list: name the config.yaml that LiteLLM’s proxy is started with.')
  }
  const router = new Map(entriesOf(config.get('router_settings')))
  const litellm = new Map(entriesOf(config.get('litellm_settings')))
  const general = new Map(entriesOf(config.get('general_settings')))
  const about = {
    credentials: credentialsIn(config.get('credential_list')),
    standard: {
      timeout: router.get('timeout') ?? litellm.get('request_timeout'),
      stream_timeout: router.get('stream_timeout'),
      ...(litellm.get('enable_azure_ad_token_refresh') === true ? { enable_azure_ad_token_refresh: true } : {}),
    },
  }
  return {
    deployments: list.map((entry, index) => deploymentOf(entry, String(index + 1), about)),
    aliases: aliasesIn(router),
    fallbacks: fallbacksIn(router, litellm),
    variables: new Map(
      entriesOf(config.get('environment_variables')).flatMap(([name, value]) => {
        const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
        return isPlain ? [[name, String(value)] as const] : []
      }),
    ),
    hasDatabase: general.has('database_url') || general.get('store_model_in_db') === true,
  }
}

function aliasesIn(router: ConfigFields): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(router.get('model_group_alias')).flatMap(([name, to]) => {
      const model = typeof to === 'string' ? to : new Map(entriesOf(to)).get('model')
      return typeof model === 'string' ? [[name, model] as const] : []
    }),
  )
}

/** Credentials by their names. Their values stand under `credential_values`, or in early forms beside the name. */
function credentialsIn(list: unknown): ReadonlyMap<string, ConfigFields> {
  const entries = Array.isArray(list) ? list.map((entry) => new Map(entriesOf(entry))) : []
  return new Map(
    entries.flatMap((entry) => {
      const name = entry.get('credential_name')
      const {
        credential_name: _name,
        credential_info: _info,
        credential_values: values,
        ...beside
      } = Object.fromEntries(entry)
      return typeof name === 'string' ? [[name, new Map(entriesOf(values ?? beside))] as const] : []
    }),
  )
}

function deploymentOf(
  entry: unknown,
  id: string,
  { credentials, standard }: { readonly credentials: ReadonlyMap<string, ConfigFields>; readonly standard: object },
): Deployment {
  const fields = new Map(entriesOf(entry))
  const name = fields.get('model_name')
  const own = new Map(entriesOf(fields.get('litellm_params')))
  if (typeof name !== 'string' || typeof own.get('model') !== 'string') {
    throw new ImportRefusal(
      `Entry ${id} of model_list has no model_name, or no litellm_params.model: LiteLLM does not start with it either.`,
    )
  }
  const taken = own.get('litellm_credential_name')
  const credential = typeof taken === 'string' ? credentials.get(taken) : undefined
  return {
    id,
    name,
    // What is blank says nothing, so that the credential's own address is not lost to an empty field.
    params: new Map([...entriesOf(standard), ...(credential ?? []), ...own].filter(([, value]) => isWritten(value))),
    info: new Map(entriesOf(fields.get('model_info'))),
    lacks: typeof taken === 'string' && credential === undefined ? taken : null,
  }
}

function isWritten(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === 'string' && value.trim() === '')
}

function fallbacksIn(router: ConfigFields, litellm: ConfigFields): Fallbacks {
  const said = (name: string) => router.get(name) ?? litellm.get(name)
  const listed = said('fallbacks')
  const all = (Array.isArray(listed) ? listed : [listed]).flatMap((entry) => entriesOf(entry))
  const of = new Map(all.map(([name, to]) => [name, namesIn(to)] as const))
  return {
    of,
    standard: [...(of.get('*') ?? []), ...namesIn(said('default_fallbacks'))],
    hasOthers: ['context_window_fallbacks', 'content_policy_fallbacks'].some((name) => {
      const others = said(name)
      return Array.isArray(others) ? others.length > 0 : isWritten(others)
    }),
  }
}

/** Each a name, or a request of its own that names one. */
function namesIn(list: unknown): readonly string[] {
  const entries = Array.isArray(list) ? list : [list]
  return entries.flatMap((entry) => {
    const name: unknown = typeof entry === 'string' ? entry : new Map(entriesOf(entry)).get('model')
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}
