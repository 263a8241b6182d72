import { parseDocument } from 'yaml'
import { entriesOf, ImportRefusal } from '../source.ts'

/** One entry of `model_list`. */
export interface Deployment {
  /** Counted from 1, as it stands in the list. */
  readonly id: string
  readonly name: string
  /** `litellm_params` and `model_info`. */
  readonly params: ReadonlyMap<string, unknown>
  readonly info: ReadonlyMap<string, unknown>
}

/** What LiteLLM's configuration says of models. */
export interface LitellmConfig {
  readonly deployments: readonly Deployment[]
  /** Other names of models, by these names. */
  readonly aliases: ReadonlyMap<string, string>
  readonly hasFallbacks: boolean
  readonly hasDatabase: boolean
  readonly includes: readonly string[]
}

const LARGEST_CHARACTERS = 4 * 2 ** 20
const ALIASES_LIMIT = 100

/** Throws ImportRefusal for what YAML does not allow, and for YAML without a list of models. */
export function readConfig(text: string): LitellmConfig {
  const config = new Map(entriesOf(yamlOf(text)))
  const list = config.get('model_list')
  if (!Array.isArray(list)) {
    throw new ImportRefusal('The source has no model_list: name the config.yaml that LiteLLM’s proxy is started with.')
  }
  const router = new Map(entriesOf(config.get('router_settings')))
  const litellm = new Map(entriesOf(config.get('litellm_settings')))
  const general = new Map(entriesOf(config.get('general_settings')))
  const include = config.get('include')
  return {
    deployments: list.map((entry, index) => deploymentOf(entry, String(index + 1))),
    aliases: new Map(
      entriesOf(router.get('model_group_alias')).flatMap(([name, to]) => {
        const model = typeof to === 'string' ? to : new Map(entriesOf(to)).get('model')
        return typeof model === 'string' ? [[name, model] as const] : []
      }),
    ),
    hasFallbacks: router.has('fallbacks') || litellm.has('fallbacks'),
    hasDatabase: general.has('database_url') || general.get('store_model_in_db') === true,
    includes: Array.isArray(include) ? include.map(String) : [],
  }
}

function yamlOf(text: string): unknown {
  if (text.length > LARGEST_CHARACTERS) throw new ImportRefusal('The source is larger than 4 MiB: name a config.yaml.')
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
  const [error] = document.errors
  // What stands behind a colon may repeat the text, and with it credentials.
  if (error !== undefined)
    throw new ImportRefusal(`The source is not valid YAML: ${error.message.split(/:\s/)[0] ?? ''}`)
  try {
    return document.toJS({ maxAliasCount: ALIASES_LIMIT }) as unknown
  } catch {
    throw new ImportRefusal('The source has more aliases than a configuration needs: write them out.')
  }
}

function deploymentOf(entry: unknown, id: string): Deployment {
  const fields = new Map(entriesOf(entry))
  const name = fields.get('model_name')
  const params = new Map(entriesOf(fields.get('litellm_params')))
  if (typeof name !== 'string' || typeof params.get('model') !== 'string') {
    throw new ImportRefusal(
      `Entry ${id} of model_list has no model_name, or no litellm_params.model: LiteLLM does not start with it either.`,
    )
  }
  return { id, name, params, info: new Map(entriesOf(fields.get('model_info'))) }
}
