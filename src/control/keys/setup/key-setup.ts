import type {
  CustomImport,
  ImportTargetView,
  ImportWarning,
  KeySetup,
  SetupClient,
  SetupListed,
  SetupProtocol,
} from '../../../contract/setup.ts'
import { APP_CLIENTS } from './app-clients.ts'
import { CHAT_IMPORTS, type ImportDescription, OPENAI_ALONE, PROTOCOL_NAMES } from './chat-imports.ts'
import { CC_SWITCH } from './cc-switch.ts'
import { type ClientDescription, modelSlot, type SetupModel, type WayContext } from './client-description.ts'
import { systemsOf } from './client-steps.ts'
import { CURL } from './curl-client.ts'
import { modelsFor } from './model-choice.ts'
import { SDK_CLIENTS } from './sdk-clients.ts'
import { filled } from './templates.ts'
import { TERMINAL_CLIENTS } from './terminal-clients.ts'

export interface KeySetupRequest {
  /** The gateway's address as its clients reach it: scheme, host and port, without a slash at the end. */
  readonly origin: string
  readonly keyName: string
  readonly keyId: string
  /** What the key can call now. */
  readonly models: readonly SetupModel[]
  /** The admin's own links, valid by the contract's `customImport`. */
  readonly customImports?: readonly CustomImport[]
  /** Ids of the import targets that an admin took off the list. */
  readonly hiddenImports?: readonly string[]
  /** Names of the models that the key's owner prefers. */
  readonly favourites?: readonly string[]
  /** The choice of models that files list; absent: all, unless they are many or a favourite is among them. */
  readonly listed?: SetupListed | undefined
}

/**
 * The answer of `GET /api/keys/{id}/setup` but for its mark: pure, and without the secret, which the browser fills in. Throws RangeError
 * for an origin that could mean something else in a shell or a file than in an address.
 */
export function keySetup(request: KeySetupRequest): Omit<KeySetup, 'mark'> {
  const { origin } = request
  if (!SAFE_ORIGIN.test(origin))
    throw new RangeError('The origin must be a scheme, a host and a port, and a path of plain names.')
  const models = request.models.filter(({ name }) => !PLACEHOLDER_LIKE.test(name))
  const hidden = new Set(request.hiddenImports ?? [])
  const imports = [CC_SWITCH, ...CHAT_IMPORTS].filter(({ id }) => !hidden.has(id))
  const importIds = new Set(imports.map(({ id }) => id))
  const { favourites = [], listed } = request
  const keyMark = request.keyId.slice(-MARK_LENGTH)
  const context = { origin, openaiBaseUrl: `${origin}/v1`, keyMark, models, importIds, favourites, listed }
  return {
    base_urls: { openai: context.openaiBaseUrl, anthropic: origin },
    provider_name: providerName(request.keyName),
    models: models.map((model) => ({
      name: model.name,
      protocols: [...model.wires],
      context_tokens: model.contextTokens,
      max_output_tokens: model.maxOutputTokens,
      kind: model.kind,
      recommended: model.isRecommended,
      answers: model.answers,
    })),
    clients: CLIENTS.flatMap(([category, clients]) => clients.map((client) => clientSetup(client, category, context))),
    imports: [
      ...imports.map((each) => importTarget(each, context)),
      ...customTargets(request.customImports ?? [], { ...context, models: modelsFor('openai-chat', models) }),
    ],
  }
}

/** The clients of each category in the order in which they are shown. */
const CLIENTS: readonly (readonly [SetupClient['category'], readonly ClientDescription[]])[] = [
  ['cli', TERMINAL_CLIENTS],
  ['sdk', SDK_CLIENTS],
  ['http', [CURL]],
  ['app', APP_CLIENTS],
]

/** Texts hold the origin as it is, so it must not hold a quote, a blank, a `$` or the like. */
const SAFE_ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]_-]+(?:\/[A-Za-z0-9._~-]+)*$/

/** A model of such a name would be filled in with something else. No model has such a name by accident. */
const PLACEHOLDER_LIKE = /\{(key|name|mark|model|haiku_model|sonnet_model|opus_model)\}/

const MARK_LENGTH = 6

/** The addresses, models and wishes of one request, by which every client is set up. */
interface SetupContext {
  readonly origin: string
  readonly keyMark: string
  readonly openaiBaseUrl: string
  readonly models: readonly SetupModel[]
  /** Ids of the import targets that are shown; one that sets up the program of a client has the client's id. */
  readonly importIds: ReadonlySet<string>
  readonly favourites: readonly string[]
  readonly listed: SetupListed | undefined
}

function clientSetup(client: ClientDescription, category: SetupClient['category'], context: SetupContext): SetupClient {
  const { id, name, protocols = ['openai-chat'], advice = client.set === undefined ? [] : KEPT_APART } = client
  const ways = protocols.flatMap((protocol) => {
    const way = wayContext(protocol, context)
    if (way === null) return []
    const slots = client.slots?.(way.models) ?? [modelSlot(way.models)]
    const listed = typeof client.file?.content === 'function' ? way.listed : null
    const systems = systemsOf(client, category === 'app', way)
    return [{ protocol, models: way.models.map((model) => model.name), slots, listed, systems }]
  })
  return {
    id,
    name,
    category,
    protocols: [...protocols],
    ways,
    unavailable: ways.length > 0 ? null : whyNone(context),
    advice: [...advice],
    import: context.importIds.has(id) ? id : null,
  }
}

const KEPT_APART = ['keep_out_of_repository'] as const

function importTarget(
  { id, name, showAs = 'link', warning, apis = OPENAI_ALONE, ...program }: ImportDescription,
  context: SetupContext,
): ImportTargetView {
  const options = Object.entries(apis).flatMap(([api, [protocol, label = PROTOCOL_NAMES[protocol]]]) => {
    const way = wayContext(protocol, context)
    if (way === null) return []
    const slots = program.slots?.(way.models, api) ?? []
    const models = slots.length === 0 ? [] : way.models.map((model) => model.name)
    const link = typeof program.link === 'function' ? program.link(way, api) : filled(program.link, way, api)
    return [{ id: api, name: label, models, slots, link }]
  })
  return {
    id,
    name,
    show_as: showAs,
    is_custom: false,
    warnings: warning === undefined ? [] : [warning],
    options,
    unavailable: options.length > 0 ? null : whyNone(context),
  }
}

function wayContext(protocol: SetupProtocol, context: SetupContext): WayContext | null {
  const { origin, openaiBaseUrl, keyMark, models } = context
  const speaking = modelsFor(protocol, models)
  if (speaking.length === 0) return null
  return { protocol, origin, openaiBaseUrl, keyMark, models: speaking, ...filesOf(speaking, context) }
}

/** What the files of clients list: the chosen model with the favourites, or all. */
function filesOf(speaking: readonly SetupModel[], context: SetupContext): Pick<WayContext, 'inFiles' | 'listed'> {
  const preferred = context.favourites.flatMap((name) => speaking.find((model) => model.name === name) ?? [])
  const usual = preferred.length === 0 && speaking.length <= MODELS_IN_FILE ? 'all' : 'favourites'
  const listed = context.listed ?? usual
  const chosen = { name: '{model}', contextTokens: null, maxOutputTokens: null, abilities: abilitiesOfAll(speaking) }
  return { listed, inFiles: listed === 'all' ? speaking : [chosen, ...preferred] }
}

/** Whichever is chosen, nothing is claimed of it that it cannot do. */
function abilitiesOfAll(models: readonly SetupModel[]): SetupModel['abilities'] {
  return {
    seesPictures: models.every(({ abilities }) => abilities.seesPictures),
    callsTools: models.every(({ abilities }) => abilities.callsTools),
  }
}

/** More make a file hard to read. */
const MODELS_IN_FILE = 10

function whyNone({ models }: SetupContext): SetupClient['unavailable'] {
  if (models.length === 0) return 'no_models'
  return models.some(({ kind }) => kind === 'chat') ? 'no_model_of_protocol' : 'no_chat_model'
}

/** Some programs cut a name at a parenthesis or an apostrophe, and a colour emoji makes a poor file name. */
function providerName(keyName: string): string {
  const rest = keyName
    .replace(/[^\p{L}\p{M}\p{N} ._-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return rest === '' ? 'Tollgate' : `Tollgate ${rest}`
}

/** The models stand in the order in which they are offered where the template names one. */
type LinkContext = Pick<SetupContext, 'origin' | 'openaiBaseUrl' | 'models'>

/** The admin's own links. What never changes is filled in here; the rest, as everywhere, by the browser. */
function customTargets(imports: readonly CustomImport[], context: LinkContext): ImportTargetView[] {
  return imports.map(({ name, template }, index) => {
    const namesModel = template.includes('{model}')
    const models = namesModel ? context.models.map((model) => model.name) : []
    const first = models[0]
    const option = {
      id: 'custom',
      name,
      models,
      slots: first === undefined ? [] : [{ placeholder: 'model' as const, suggested: first }],
      link: { encoding: 'template' as const, template: withAddresses(template, context) },
    }
    const isUsable = !namesModel || first !== undefined
    return {
      id: `custom-${index + 1}`,
      name,
      show_as: 'link',
      is_custom: true,
      warnings: warningsOf(template),
      options: isUsable ? [option] : [],
      unavailable: isUsable ? null : 'no_models',
    }
  })
}

function withAddresses(template: string, { origin, openaiBaseUrl }: LinkContext): string {
  return template.replace(/\{(origin|base_url)\}/g, (_, name) =>
    encodeURIComponent(name === 'origin' ? origin : openaiBaseUrl),
  )
}

/** A web address takes the key to a server when it stands before the fragment, and into the history in any case. */
function warningsOf(template: string): ImportWarning[] {
  const key = template.indexOf('{key}')
  if (!/^https?:/i.test(template) || key < 0) return []
  const fragment = template.indexOf('#')
  return fragment >= 0 && fragment < key ? ['key_in_web_address'] : ['key_reaches_web_server']
}
