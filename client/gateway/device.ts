/** What the gateway says about this device, by its access token. */
import { Failure, type Host } from '../host.ts'
import { accessToken, renewedToken } from '../sign-in/access-token.ts'
import type { SignIn } from '../kept/sign-in-store.ts'
import { type Answer, ask, asFields, type Fields, type Question, saidIn, textOf } from './ask.ts'
import { dollars, shown } from './shown.ts'

export interface DeviceState {
  readonly email: string | null
  readonly device: string | null
  readonly group: string | null
  readonly baseUrls: BaseUrls
  readonly models: readonly string[]
  readonly balance: string | null
  readonly limits: readonly Limit[]
  readonly recent: readonly RecentCall[]
}

/** Where clients send requests: with `/v1` for those of OpenAI’s protocols, without for Anthropic’s. */
export interface BaseUrls {
  readonly openai: string
  readonly anthropic: string
}

export interface Limit {
  readonly name: string
  readonly spent: string
  readonly limit: string
  readonly resetsAt: string | null
}

export interface RecentCall {
  readonly at: string
  readonly model: string
  readonly cost: string | null
  readonly fault: string | null
}

export interface StoredSecret {
  readonly id: string
  readonly secret: string
}

const MOST_ENTRIES = 1_000

/** The account, group, limits and last requests of this device. */
export async function readDevice(host: Host, signIn: SignIn): Promise<DeviceState> {
  const { body } = await askAsDevice(host, signIn, { path: '/oauth/device' })
  return deviceIn(signIn.address, body)
}

/** A secret for the client, which does not end with the access token. */
export async function createSecret(host: Host, signIn: SignIn, client: string): Promise<StoredSecret> {
  const { body } = await askAsDevice(host, signIn, { path: '/oauth/device/secrets', form: { client } })
  const id = textOf(body, 'id', 200)
  const secret = textOf(body, 'secret', 500)
  if (id === null || secret === null || !/^[\w-]+$/.test(id) || !/^[\x21-\x7e]+$/.test(secret)) {
    throw new Failure('The gateway’s answer has no secret for the client.')
  }
  return { id, secret }
}

/** Ends a stored secret. One that is gone already is not an error. */
export async function endSecret(host: Host, signIn: SignIn, id: string): Promise<void> {
  await askAsDevice(host, signIn, {
    path: '/oauth/device/secrets/delete',
    form: { id },
  })
}

interface DeviceQuestion extends Pick<Question, 'form'> {
  readonly path: string
}

async function askAsDevice(host: Host, signIn: SignIn, { path, ...parts }: DeviceQuestion): Promise<Answer> {
  const question = (token: string): Question => ({
    ...parts,
    url: `${signIn.address}${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  let answer = await ask(question(await accessToken(host, signIn, 'this_program')))
  if (answer.status === 401) answer = await ask(question(await renewedToken(host, signIn)))
  if (answer.status >= 200 && answer.status < 300) return answer
  const said = saidIn(answer)
  throw new Failure(`The gateway refuses (${answer.status}).${said === null ? '' : ` It says: ${said}`}`)
}

/** Reads only what is of the kind that is expected, so that a gateway cannot put anything else into terminals and files. */
export function deviceIn(address: string, body: Fields | null): DeviceState {
  return {
    email: line(asFields(body?.['account']), 'email'),
    device: line(asFields(body?.['device']), 'name'),
    group: line(asFields(body?.['group']), 'name'),
    baseUrls: baseUrlsIn(address, asFields(body?.['base_urls'])),
    models: entries(body, 'models').flatMap(modelIn),
    balance: dollars(body?.['balance_usd']),
    limits: entries(body, 'limits').flatMap(limitIn),
    recent: entries(body, 'recent').flatMap(recentIn),
  }
}

/** Addresses of another origin are not taken: a client would send them its token. */
function baseUrlsIn(address: string, urls: Fields | null): BaseUrls {
  const own = (name: string, usual: string): string => {
    const text = textOf(urls, name, 500)
    const isOwn = text !== null && URL.canParse(text) && new URL(text).origin === new URL(address).origin
    return isOwn && /^[A-Za-z0-9._~:/[\]-]+$/.test(text) ? text.replace(/\/+$/, '') : usual
  }
  return { openai: own('openai', `${address}/v1`), anthropic: own('anthropic', address) }
}

function entries(body: Fields | null, name: string): readonly unknown[] {
  const value = body?.[name]
  return Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : []
}

function modelIn(value: unknown): readonly string[] {
  const fields = asFields(value)
  const name = typeof value === 'string' ? value : (textOf(fields, 'name', 200) ?? textOf(fields, 'id', 200))
  return name !== null && name.length <= 200 && /^[\w.:/@+-]+$/.test(name) ? [name] : []
}

function limitIn(value: unknown): readonly Limit[] {
  const fields = asFields(value)
  const spent = dollars(fields?.['spent_usd'])
  const limit = dollars(fields?.['limit_usd'])
  if (fields === null || spent === null || limit === null) return []
  return [{ name: line(fields, 'name') ?? 'limit', spent, limit, resetsAt: timeIn(fields['resets_at']) }]
}

function recentIn(value: unknown): readonly RecentCall[] {
  const fields = asFields(value)
  const at = timeIn(fields?.['at'])
  if (at === null) return []
  const fault = fields?.['fault']
  return [
    {
      at,
      model: line(fields, 'model') ?? '?',
      cost: dollars(fields?.['cost_usd']),
      fault:
        typeof fault === 'string' ? shown(fault) : (line(asFields(fault), 'message') ?? line(asFields(fault), 'code')),
    },
  ]
}

/** A time in any of the forms that JSON has for it; null where there is none. */
function timeIn(value: unknown): string | null {
  const time =
    typeof value === 'number'
      ? new Date(value < 1e11 ? value * 1000 : value)
      : new Date(typeof value === 'string' ? value : '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

function line(fields: Fields | null, name: string): string | null {
  const text = textOf(fields, name)
  return text === null ? null : shown(text, 200)
}

/** The share of the fullest limit that is used, in percent; null where there is no limit. */
export function fullestPercent({
  limits,
}: Pick<DeviceState, 'limits'>): { readonly name: string; readonly percent: number } | null {
  const shares = limits.map(({ name, spent, limit }) => {
    const most = cents(limit)
    return { name, percent: most === 0 ? 100 : Math.min(Math.floor((cents(spent) * 100) / most), 100) }
  })
  return shares.reduce<(typeof shares)[number] | null>((a, b) => (a === null || b.percent > a.percent ? b : a), null)
}

function cents(amount: string): number {
  return Number(amount.replace(/[^0-9]/g, ''))
}
