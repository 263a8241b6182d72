import { readFile, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { readBaseUrl } from '../../routing/upstream-settings.ts'
import { type GoogleKeyFile, googleKeyFile, vertexBase, vertexProtocol } from '../cloud-addresses.ts'
import { type CloudCredential, type CloudParams, type CloudPlace, LACKS_SECRET } from './cloud-params.ts'
import type { NamedProvider } from './provider-table.ts'

/** Facts of `litellm/llms/vertex_ai/` of LiteLLM 1.109.1. */

/** The location that LiteLLM asks where none is written. */
const STANDARD_LOCATION = 'us-central1'
/** Models that are served by no region, by their families. */
const GLOBAL_ONLY = /^gemini-3/
const LARGEST_KEY_FILE = 65_536

/** Where a model of Vertex AI is asked. A sentence: why it is not carried. `folder`: where the configuration is. */
export async function vertexPlace(
  params: CloudParams,
  { model }: NamedProvider,
  folder: string,
): Promise<CloudPlace | string> {
  const protocol = vertexProtocol(model)
  if (protocol === null)
    return 'are models of Vertex AI that are asked in a form of their own, or endpoints: set them up by hand'
  const found = await keyFileOf(params, folder)
  const file = typeof found === 'string' ? null : found
  const project =
    params.textOr(['vertex_project', 'vertex_ai_project'], ['VERTEXAI_PROJECT'], 'the project of Google Cloud') ??
    file?.project ??
    null
  const location =
    params.textOr(
      ['vertex_location', 'vertex_ai_location'],
      ['VERTEXAI_LOCATION', 'VERTEX_LOCATION'],
      'the location of Vertex AI',
    ) ?? (GLOBAL_ONLY.test(model) ? 'global' : STANDARD_LOCATION)
  if (project === null) return 'name no project of Google Cloud (vertex_project): set them up by hand'
  const usual = vertexBase(project, location)
  if (usual === null) return 'name no project and location that Google Cloud has: set them up by hand'
  const given = params.textOr(['api_base'], ['VERTEXAI_API_BASE', 'VERTEX_API_BASE'], 'the address of Vertex AI')
  const baseUrl = given === null ? usual : elsewhere(given, usual)
  if (baseUrl === null) return 'name no api_base that can be used: set them up by hand'
  const { credential, notes } = credentialOf(params, found, URL.parse(baseUrl)?.host ?? 'Vertex AI')
  return { protocol, baseUrl, dialect: 'vertex', model, credential, notes }
}

/** The usual path at another host; null: the address is none that it can be put behind. */
function elsewhere(given: string, usual: string): string | null {
  const url = URL.parse(given.trim())
  if (url === null) return null
  const whole = url.pathname.replace(/\/publishers\/.{0,300}$/, '').replace(/\/{1,10}$/, '')
  if (/\/projects\/[^/]{1,100}\/locations\/[^/]{1,40}$/.test(whole)) return readBaseUrl(url.origin + whole)
  const path = new URL(usual).pathname
  if (whole === '') return readBaseUrl(url.origin + path)
  return /^\/v1(?:beta1)?$/.test(whole) ? readBaseUrl(url.origin + whole + path.slice('/v1'.length)) : null
}

/** The key file; null: none is named. A sentence: why it is not here. */
async function keyFileOf(params: CloudParams, folder: string): Promise<GoogleKeyFile | string | null> {
  const names = ['vertex_credentials', 'vertex_ai_credentials'] as const
  const written = names.map((name) => params.value(name)).find((value) => value !== undefined)
  if (typeof written === 'object') return googleKeyFile(written) ?? NO_KEY_FILE
  const text = params.textOr(names, ['VERTEXAI_CREDENTIALS'], 'Google’s token service')
  if (text === null) return written === undefined ? null : LACKS_SECRET
  if (text.trimStart().startsWith('{')) return googleKeyFile(text) ?? NO_KEY_FILE
  const content = await fileIn(folder, text)
  return (content === null ? null : googleKeyFile(content)) ?? ELSEWHERE
}

const NO_KEY_FILE = 'have vertex_credentials that are not a key file of Google’s: set the credential here'
const ELSEWHERE =
  'name a file of vertex_credentials that is not beside the configuration: set the credential here with what is in it'

/** What a file beside the configuration says; null: it is not there, or elsewhere. Who wrote the configuration may not be who runs the import. */
async function fileIn(folder: string, name: string): Promise<string | null> {
  try {
    const [home, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))])
    const { size } = await stat(path)
    return path.startsWith(home + sep) && size <= LARGEST_KEY_FILE ? await readFile(path, 'utf8') : null
  } catch {
    return null
  }
}

function credentialOf(
  params: CloudParams,
  file: GoogleKeyFile | string | null,
  host: string,
): { readonly credential: CloudCredential; readonly notes: readonly string[] } {
  if (typeof file === 'string') return { credential: { lacks: file }, notes: [] }
  if (file !== null) {
    const { source, secret } = file
    return source === null
      ? { credential: { lacks: BY_PERSON }, notes: [] }
      : { credential: { secret, kind: 'gcp', settings: { source } }, notes: [] }
  }
  const key = params.secret('api_key', [], host)
  if (key !== null) return { credential: key === false ? { lacks: LACKS_SECRET } : { secret: key }, notes: [] }
  return { credential: { secret: '', kind: 'gcp', settings: { source: 'metadata' } }, notes: [BY_MACHINE] }
}

const BY_PERSON =
  'have vertex_credentials of a person’s sign-in, which are not carried: set a service account’s key file here'
const BY_MACHINE =
  'name no vertex_credentials, so that Google’s library looks for some on the machine: the metadata server is asked here (set a key file where it is another)'
