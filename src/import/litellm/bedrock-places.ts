import { readBaseUrl } from '../../routing/upstream-settings.ts'
import { AWS_REGION, bedrockBase, bedrockProtocol } from '../cloud-addresses.ts'
import { type CloudParams, type CloudPlace, LACKS_SECRET } from './cloud-params.ts'
import type { NamedProvider } from './provider-table.ts'

/** Facts of `litellm/llms/bedrock/base_aws_llm.py` and `llms/bedrock/common_utils.py` of LiteLLM 1.109.1. */

/** The region that LiteLLM asks where none is written. */
const STANDARD_REGION = 'us-west-2'
/** Names of ways to ask that stand before a model's. */
const WAY = /^(?:bedrock|converse|converse_like|invoke|chat_completions|openai)\//
/** Names of the form that an imported model takes, which stand before its ARN. */
const FORM = /^(?:llama|deepseek_r1|qwen2|qwen3|moonshot|nova|nova-2|anthropic|meta|mistral|amazon)\/(?=arn:)/
const OTHER_WAY = /^(?:agent|agentcore|async_invoke|claude_platform|mantle)\//

/** Where a model of Amazon Bedrock is asked. A sentence: why it is not carried. */
export function bedrockPlace(
  params: CloudParams,
  { model: written }: NamedProvider,
  baseModel: string | null,
): CloudPlace | string {
  const { model: plain, region: inName } = modelIn(written)
  const [other] = OTHER_WAY.exec(written) ?? OTHER_WAY.exec(plain) ?? []
  if (other !== undefined)
    return `are asked by ${other.slice(0, -1)} at Bedrock, which is not carried: set them up by hand`
  const protocol = bedrockProtocol(baseModel ?? plain)
  if (protocol === null) return 'do not chat at Bedrock: not carried'
  const model = params.text(['model_id'], 'the id of a model at Bedrock') ?? plain
  const region =
    params.text(['aws_region_name'], REGION) ??
    inName ??
    regionOf(model) ??
    params.textOr([], ['AWS_REGION_NAME', 'AWS_REGION'], REGION) ??
    STANDARD_REGION
  if (!AWS_REGION.test(region)) return 'name no region of AWS: set them up by hand'
  const given = params.textOr(
    ['aws_bedrock_runtime_endpoint', 'api_base'],
    ['AWS_BEDROCK_RUNTIME_ENDPOINT'],
    'the address of Bedrock',
  )
  const usual = bedrockBase(region)
  const baseUrl = given === null ? usual : readBaseUrl(given)
  if (baseUrl === null) return 'name no endpoint that can be used: set them up by hand'
  return {
    protocol,
    baseUrl,
    dialect: 'bedrock',
    ...(baseUrl === usual ? {} : { region }),
    model,
    ...credentialOf(params, URL.parse(baseUrl)?.host ?? 'Bedrock'),
  }
}

const REGION = 'the region of AWS'

/** `converse/us-east-1/anthropic.claude-…` and the like, without what stands before the model's own id. */
function modelIn(written: string): { readonly model: string; readonly region: string | null } {
  let model = written
  for (let step = 0; step < 4 && WAY.test(model); step++) model = model.replace(WAY, '')
  const [first = '', ...rest] = model.split('/')
  const region = rest.length > 0 && AWS_REGION.test(first) ? first : null
  // LiteLLM reads `[1m]` as a longer context, and leaves it out of the id.
  const id = (region === null ? model : rest.join('/')).replace(FORM, '').replace(/\[\w{1,8}\]$/, '')
  return { model: id, region }
}

/** The region of an ARN; null: the id is none. */
function regionOf(model: string): string | null {
  const region = model.startsWith('arn:') ? model.split(':')[3] : undefined
  return region !== undefined && AWS_REGION.test(region) ? region : null
}

/** An API key of Bedrock counts before keys that requests are signed with; then LiteLLM's order: role, profile, keys, the machine. */
function credentialOf(params: CloudParams, host: string): Pick<CloudPlace, 'credential' | 'notes'> {
  const key = params.secret('api_key', [], host)
  if (key !== null) return { credential: key === false ? { lacks: LACKS_SECRET } : { secret: key }, notes: [] }
  const as = `signing requests to ${host}`
  if (params.has('aws_web_identity_token')) return { credential: { lacks: BY_WEB_IDENTITY }, notes: [] }
  const role = roleIn(params, as)
  const profile = params.textOr(['aws_profile_name'], ['AWS_PROFILE_NAME'], as)
  const keys = keysIn(params, as)
  if (keys === 'ends') return { credential: { lacks: ENDS }, notes: [] }
  if (keys === 'absent') return { credential: { lacks: LACKS_SECRET }, notes: [] }
  if (profile !== null && (role === null || keys === null)) {
    const settings = { source: 'profile', profile, ...role }
    return { credential: { secret: '', kind: 'aws', settings }, notes: [] }
  }
  if (keys !== null) {
    const settings = { source: 'keys', access_key_id: keys.id, ...role }
    return { credential: { secret: keys.secret, kind: 'aws', settings }, notes: [] }
  }
  return { credential: { secret: '', kind: 'aws', settings: { source: 'instance', ...role } }, notes: [BY_MACHINE] }
}

const BY_WEB_IDENTITY =
  'have an aws_web_identity_token, which is not carried: set a credential of the kind aws with the source pod here'
const ENDS = 'have an aws_session_token, whose keys end and are not renewed: set a credential of the kind aws here'
const BY_MACHINE =
  'name no keys, so that AWS’s library looks for some on the machine: the instance’s role is taken here (set the source pod or profile where it is another)'

/** The role that is assumed; null: none. */
function roleIn(params: CloudParams, as: string): Readonly<Record<string, string>> | null {
  const role = params.textOr(['aws_role_name'], ['AWS_ROLE_NAME'], as)
  if (role === null) return null
  const session = params.textOr(['aws_session_name'], ['AWS_SESSION_NAME'], as)
  const external = params.textOr(['aws_external_id'], ['AWS_EXTERNAL_ID'], as)
  return {
    role_arn: role,
    ...(external === null ? {} : { external_id: external }),
    ...(session === null ? {} : { session_name: session }),
  }
}

type Keys = { readonly id: string; readonly secret: string } | 'ends' | 'absent' | null

function keysIn(params: CloudParams, as: string): Keys {
  const id = params.textOr(['aws_access_key_id'], ['AWS_ACCESS_KEY_ID'], as)
  const secret = params.textOr(['aws_secret_access_key'], ['AWS_SECRET_ACCESS_KEY'], as)
  const isWritten = params.has('aws_access_key_id') || params.has('aws_secret_access_key')
  if (id === null || secret === null) return isWritten ? 'absent' : null
  const token = params.textOr(['aws_session_token'], isWritten ? [] : ['AWS_SESSION_TOKEN'], as)
  return token === null ? { id, secret } : 'ends'
}
