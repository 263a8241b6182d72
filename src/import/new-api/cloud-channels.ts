import type { UpstreamDialect } from '../../core/upstream-dialect.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { isCredential, objectionToBaseUrl } from '../../routing/upstream-settings.ts'
import {
  AWS_REGION,
  azureAddress,
  azureProtocol,
  bedrockBase,
  bedrockProtocol,
  googleKeyFile,
  vertexBase,
  vertexProtocol,
} from '../cloud-addresses.ts'
import type { PlannedCredential, PlannedUpstream, ProductWithDatabase } from '../import-plan.ts'
import { objectIn } from '../set-values.ts'
import { entriesOf, jsonOf, type Row, textIn } from '../source.ts'
import type { AddressAbout } from './channel-address.ts'
import { bedrockModel, vertexModel } from './cloud-models.ts'

const TABLE = 'channels'

/** Clouds by the numbers of their types (`constant/channel.go` of new-api, `relay/channeltype` of one-api). */
const CLOUDS: Readonly<Record<string, Readonly<Record<string, UpstreamDialect>>>> = {
  'new-api': { '3': 'azure', '33': 'bedrock', '41': 'vertex' },
  'one-api': { '3': 'azure', '33': 'bedrock', '42': 'vertex' },
}

/** The cloud that channels of a type are of; undefined: none. */
export function cloudOf(product: ProductWithDatabase, type: string): UpstreamDialect | undefined {
  const types = CLOUDS[product] ?? {}
  return Object.hasOwn(types, type) ? types[type] : undefined
}

/** A key of a channel as it is written, with its place among the others. */
export interface ChannelKey {
  readonly name: string
  readonly text: string
  readonly isDisabled: boolean
}

/** One upstream that is made of a channel, and what it asks for the models that it serves. */
export interface CloudPart {
  /** Tells it from the other parts of the channel; empty: the first. */
  readonly suffix: string
  readonly upstream: Pick<PlannedUpstream, 'protocol' | 'baseUrl' | 'dialect' | 'apiVersion' | 'credentials'>
  /** What the cloud calls each model, by the name that the channel asks for. */
  readonly models: ReadonlyMap<string, string>
}

export interface ChannelModelName {
  /** The name that clients ask for. */
  readonly name: string
  /** The name that the channel asks for, by its map of models. */
  readonly asked: string
}

export interface CloudChannelAbout extends AddressAbout {
  readonly keys: readonly ChannelKey[]
  readonly models: readonly ChannelModelName[]
}

/**
 * A channel of a cloud as upstreams: one for each protocol, region and location that its models and keys have. What is not
 * carried is noted; none: nothing of it is.
 */
export function cloudParts(row: Row, cloud: UpstreamDialect, about: CloudChannelAbout): readonly CloudPart[] {
  const parts = PARTS[cloud](row, about)
  const id = textIn(row, 'id')
  if (typeof parts === 'string') {
    about.notes.note(TABLE, id, `are of type ${textIn(row, 'type')} and ${parts}: set them up by hand`)
    return []
  }
  return parts.map((part, index) => ({ ...part, suffix: index === 0 ? '' : part.suffix }))
}

type PartsOf = (row: Row, about: CloudChannelAbout) => readonly CloudPart[] | string

const PARTS: Readonly<Record<UpstreamDialect, PartsOf>> = {
  azure: azureParts,
  bedrock: bedrockParts,
  vertex: vertexParts,
}

/** The version that new-api asks for where a channel names none (`AZURE_DEFAULT_API_VERSION`). */
const AZURE_STANDARD = '2025-04-01-preview'
/** Names of deployments had their dots left out in channels from before 2025-05-10 (`AzureNoRemoveDotTime` of new-api). */
const DOTS_KEPT_SINCE = 1_746_835_200

function azureParts(row: Row, { product, keys, models, notes }: CloudChannelAbout): readonly CloudPart[] | string {
  const set = product === 'one-api' ? objectIn(row, 'config', { table: TABLE, notes }).get('api_version') : undefined
  const version = (typeof set === 'string' ? set.trim() : '') || textIn(row, 'other').trim()
  const standard = product === 'new-api' ? AZURE_STANDARD : null
  const { baseUrl, apiVersion } = azureAddress(textIn(row, 'base_url'), version === '' ? standard : version)
  if (baseUrl === null || objectionToBaseUrl('openai', baseUrl) !== null) return 'name no base URL that can be used'
  const created = Number(textIn(row, 'created_time'))
  const hasDots = product === 'new-api' && !(created > 0 && created < DOTS_KEPT_SINCE)
  const protocol = azureProtocol(apiVersion)
  return [
    {
      suffix: '',
      upstream: {
        protocol,
        baseUrl,
        dialect: 'azure',
        ...(apiVersion === null ? {} : { apiVersion }),
        credentials: keys.flatMap(({ name, text, isDisabled }) =>
          isCredential(text) ? [{ name, secret: text, isDisabled }] : [],
        ),
      },
      models: new Map(models.map((each) => [each.asked, hasDots ? each.asked : each.asked.replaceAll('.', '')])),
    },
  ]
}

interface AwsKey {
  readonly region: string
  readonly credential: PlannedCredential
}

/** A key of AWS (`access key|secret access key|region`), or an API key of Bedrock (`key|region`). null: neither. */
function awsKey({ name, text, isDisabled }: ChannelKey, config: ReadonlyMap<string, unknown>): AwsKey | null {
  const set = ['ak', 'sk', 'region'].map((field) => config.get(field))
  const parts = set.every((value) => typeof value === 'string' && value !== '')
    ? set.map(String)
    : text.split('|').map((part) => part.trim())
  const region = parts.at(-1) ?? ''
  const secret = parts.at(-2) ?? ''
  if (parts.length > 3 || !isCredential(secret) || !AWS_REGION.test(region)) return null
  const [id = ''] = parts
  const kind = { kind: 'aws', settings: { source: 'keys', access_key_id: id } } as const
  return { region, credential: { name, secret, isDisabled, ...(parts.length === 3 ? kind : {}) } }
}

function bedrockParts(row: Row, { product, keys, models, notes }: CloudChannelAbout): readonly CloudPart[] | string {
  const config = product === 'one-api' ? objectIn(row, 'config', { table: TABLE, notes }) : new Map<string, unknown>()
  const read = keys.flatMap((key) => awsKey(key, config) ?? [])
  if (read.length === 0) return 'have no key of AWS with its region'
  if (read.length < keys.length)
    notes.note(TABLE, textIn(row, 'id'), 'have keys that are none of AWS with a region: those are left out')
  const parts: CloudPart[] = []
  for (const [region, ofRegion] of Map.groupBy(read, (key) => key.region)) {
    const named = models.map((each) => ({
      asked: each.asked,
      model: bedrockModel(each.asked, { region, hasProfiles: product === 'new-api' }),
    }))
    const byProtocol = Map.groupBy(named, ({ model }) => bedrockProtocol(model))
    noteOthers(row, { notes, named: byProtocol.get(null) ?? [] })
    for (const [protocol, own] of byProtocol) {
      if (protocol === null) continue
      const credentials = ofRegion.map(({ credential }) => credential)
      const upstream = { protocol, baseUrl: bedrockBase(region), dialect: 'bedrock' as const, credentials }
      parts.push({ suffix: `${region} ${protocol}`, upstream, models: asked(own) })
    }
  }
  return parts
}

interface Asked {
  readonly asked: string
  readonly model: string
}

function asked(named: readonly Asked[]): ReadonlyMap<string, string> {
  return new Map(named.map(({ asked: name, model }) => [name, model]))
}

function noteOthers(row: Row, { notes, named }: Pick<CloudChannelAbout, 'notes'> & { named: readonly Asked[] }): void {
  if (named.length === 0) return
  const names = named.map((each) => each.asked).join(', ')
  notes.note(TABLE, textIn(row, 'id'), `ask ${names} in a form that is not spoken here: those are not served`)
}

function vertexParts(row: Row, about: CloudChannelAbout): readonly CloudPart[] | string {
  const { product, keys, models, notes } = about
  const config = product === 'one-api' ? objectIn(row, 'config', { table: TABLE, notes }) : new Map<string, unknown>()
  const read = googleKeys(row, { keys, config, isOneApi: product === 'one-api', about })
  if (read.length === 0) return 'have no key file of Google’s'
  const region = config.get('region')
  const locations = locationsIn(typeof region === 'string' && region !== '' ? region : textIn(row, 'other').trim())
  const parts: CloudPart[] = []
  const named = models.map(({ name, asked: given }) => {
    const model = product === 'new-api' ? vertexModel(given) : given
    return { asked: given, model, protocol: vertexProtocol(model), location: locations(name) }
  })
  noteOthers(row, { notes, named: named.filter(({ protocol }) => protocol === null) })
  const served = named.flatMap(({ protocol, ...each }) => (protocol === null ? [] : [{ ...each, protocol }]))
  for (const [project, ofProject] of Map.groupBy(read, (key) => key.project)) {
    for (const [place, own] of Map.groupBy(served, (each) => `${each.location} ${each.protocol}`)) {
      const [first] = own
      if (first === undefined) continue
      const baseUrl = project === null ? expressBase(first.location) : vertexBase(project, first.location)
      if (baseUrl === null) return 'name no project and location that Google Cloud has'
      const credentials = ofProject.map(({ credential }) => credential)
      const suffix = project === null ? place : `${project} ${place}`
      parts.push({ suffix, upstream: upstreamAt(first.protocol, baseUrl, credentials), models: asked(own) })
    }
  }
  return parts
}

function upstreamAt(
  protocol: RemoteProtocol,
  baseUrl: string,
  credentials: readonly PlannedCredential[],
): CloudPart['upstream'] {
  return { protocol, baseUrl, dialect: 'vertex', credentials }
}

/** Where an API key is taken, which names its project by itself. */
function expressBase(location: string): string | null {
  const whole = vertexBase('none', location)
  return whole === null ? null : whole.slice(0, whole.indexOf('/projects/'))
}

/** The location of each model: one for all, or by the names of models, with one for the others. */
function locationsIn(written: string): (name: string) => string {
  const map = written.startsWith('{') ? new Map(entriesOf(jsonOf(written))) : null
  if (map === null) return () => (written === '' ? 'global' : written)
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return (name) => textOf(map.get(name)) ?? textOf(map.get('default')) ?? 'global'
}

interface GoogleKeys {
  readonly keys: readonly ChannelKey[]
  readonly config: ReadonlyMap<string, unknown>
  readonly isOneApi: boolean
  readonly about: CloudChannelAbout
}

interface GoogleKey {
  /** null: an API key, which names its own. */
  readonly project: string | null
  readonly credential: PlannedCredential
}

function googleKeys(row: Row, { keys, config, isOneApi, about }: GoogleKeys): readonly GoogleKey[] {
  const settings = new Map(entriesOf(jsonOf(textIn(row, 'settings'))))
  if (settings.get('vertex_key_type') === 'api_key') {
    return keys.flatMap(({ name, text, isDisabled }) =>
      isCredential(text) ? [{ project: null, credential: { name, secret: text, isDisabled } }] : [],
    )
  }
  const credentials = isOneApi ? config.get('vertex_ai_adc') : undefined
  const files = typeof credentials === 'string' ? keys.map((key) => ({ ...key, text: credentials })) : keys
  const read = files.flatMap(({ name, text, isDisabled }) => {
    const file = googleKeyFile(text)
    const own = config.get('vertex_ai_project_id')
    const project = typeof own === 'string' && own !== '' ? own : (file?.project ?? null)
    if (file === null || file.source === null || project === null) return []
    const { secret, source } = file
    return [{ project, credential: { name, secret, isDisabled, kind: 'gcp' as const, settings: { source } } }]
  })
  if (read.length > 0 && read.length < files.length)
    about.notes.note(TABLE, textIn(row, 'id'), 'have keys that are not key files of Google’s: those are left out')
  return read
}
