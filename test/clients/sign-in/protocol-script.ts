/** What Claude Code asks of a gateway from its sign-in to its sign-out, asked of any gateway, and the answers as shapes. */

import { setTimeout as pause } from 'node:timers/promises'
import { PATIENCE_MS } from '../../support/patience.ts'

/** An answer without what differs from call to call: names of its headers, and its body with kinds in place of values. */
export interface SeenAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly shape: readonly string[]
}

export interface ScriptedGateway {
  readonly origin: string
  approve(userCode: string): Promise<void>
  /** Caps what the device may spend in this month, in cents. */
  capAt(cents: number): Promise<void>
}

const LOOK_MS = 200
const AGENT = 'claude-code/2.1.332'
const VERSION = '2023-06-01'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SCRIPTED_MODEL = 'claude-sonnet-4-5'

/** Headers of HTTP and of this machine alone. */
const ALWAYS = new Set(['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding'])

/** Goes through the protocol once; resolves with each step's answer by the step's name. */
export async function runScript({ origin, approve, capAt }: ScriptedGateway): Promise<Map<string, SeenAnswer>> {
  const seen = new Map<string, SeenAnswer>()
  // oxlint-disable-next-line typescript/no-explicit-any
  async function ask(step: string, path: string, init: RequestInit = {}): Promise<any> {
    const headers = { 'user-agent': AGENT, accept: 'application/json', ...(init.headers as Record<string, string>) }
    const answer = await fetch(origin + path, { ...init, headers, redirect: 'manual' })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text === '' ? '' : 'text'
    const names = [...answer.headers.keys()].filter((name) => !ALWAYS.has(name))
    seen.set(step, { status: answer.status, headers: names.toSorted(), shape: shapeOf(body) })
    return { body, headers: answer.headers }
  }
  const form = (step: string, path: string, fields: Record<string, string>) =>
    ask(step, path, { method: 'POST', body: new URLSearchParams(fields) })
  const message = (step: string, bearer: string, more: object = {}) =>
    ask(step, '/v1/messages?beta=true', {
      method: 'POST',
      headers: { ...as(bearer), 'content-type': 'application/json', 'anthropic-version': VERSION },
      body: JSON.stringify({ model: SCRIPTED_MODEL, max_tokens: 2_000, messages: HELLO, ...more }),
    })

  await ask('discovery', '/.well-known/oauth-authorization-server')
  const { body: device } = await form('device authorization', '/oauth/device_authorization', { surface: 'claude_code' })
  const byCode = { grant_type: DEVICE_GRANT, device_code: device.device_code }
  await form('token, pending', '/oauth/token', byCode)
  await form('token, too fast', '/oauth/token', byCode)
  await form('token, unknown code', '/oauth/token', { ...byCode, device_code: 'none' })
  await form('token, other grant', '/oauth/token', { grant_type: 'password' })
  await approve(device.user_code)
  const { body: token } = await form('token', '/oauth/token', byCode)
  const { body: renewed } = await form('refresh', '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token.refresh_token,
  })
  await form('refresh, unknown', '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'none' })
  const bearer = renewed.access_token
  const settings = await ask('settings', '/managed/settings', { headers: as(bearer) })
  const tag = settings.headers.get('etag') ?? ''
  await ask('settings, unchanged', '/managed/settings', { headers: { ...as(bearer), 'if-none-match': tag } })
  await ask('settings, only asked', '/managed/settings', { headers: { ...as(bearer), 'if-none-match': '*' } })
  await ask('models', '/v1/models?limit=1000', { headers: { ...as(bearer), 'anthropic-version': VERSION } })
  await ask('usage, no cap', '/api/oauth/usage', { headers: as(bearer) })
  await message('message', bearer)
  await message('message, stream', bearer, { stream: true })
  await message('message, another model', bearer, { model: 'claude-none-9' })
  await message('message, no bearer', '')
  await message('message, bad bearer', 'none')
  await capAt(100_000)
  await message('message, a cap', bearer)
  const until = performance.now() + PATIENCE_MS
  let usage: { limits: unknown[] }
  // The reference keeps what it knew of a device for some seconds.
  do usage = (await ask('usage, a cap', '/api/oauth/usage', { headers: as(bearer) })).body
  while (usage.limits.length === 0 && performance.now() < until && (await pause(LOOK_MS, true)))
  await capAt(0)
  await message('message, the cap is used up', bearer)
  await ask('metrics', '/v1/metrics', { method: 'POST', headers: as(bearer), body: '{}' })
  await form('revoke', '/oauth/revoke', { token: bearer })
  await form('revoke, the rest', '/oauth/revoke', { token: renewed.refresh_token, token_type_hint: 'refresh_token' })
  await message('message, revoked', bearer)
  return seen
}

const HELLO = [{ role: 'user', content: 'Hello' }]

function as(bearer: string): Record<string, string> {
  return bearer === '' ? {} : { authorization: `Bearer ${bearer}` }
}

/** Kinds in place of values, one line a place: `.error.type: string`. Of a list, the kinds of its first entry. */
function shapeOf(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${place}[]: none`] : shapeOf(value[0], `${place}[]`)
  if (value === null || typeof value !== 'object') return [`${place}: ${value === null ? 'null' : typeof value}`]
  const entries = Object.entries(value)
  return entries.length === 0 ? [`${place}: {}`] : entries.flatMap(([name, each]) => shapeOf(each, `${place}.${name}`))
}
