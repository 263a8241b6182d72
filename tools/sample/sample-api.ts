import { setTimeout } from 'node:timers/promises'

/** Calls of the console API, of the type that the contract gives the answer. */
export interface SampleApi {
  /** Rejects on a refusal. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>
}

export const ADMIN_TOKEN = 'an-admin-token-for-sample-data-alone'

/** The API for the holder of TOLLGATE_ADMIN_TOKEN. */
export function adminApi(origin: string, token = ADMIN_TOKEN): SampleApi {
  return apiAt(origin, { authorization: `Bearer ${token}` })
}

/** The API for an account that signs in; the session is one of `browser`. */
export async function signedInApi(
  origin: string,
  who: { readonly email: string; readonly password: string; readonly browser: string },
): Promise<SampleApi & { readonly cookie: string }> {
  const answer = await fetch(`${origin}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, 'user-agent': who.browser },
    body: JSON.stringify({ email: who.email, password: who.password }),
  })
  if (!answer.ok) throw new Error(`sign-in returned ${answer.status}: ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .join('; ')
  return { ...apiAt(origin, { cookie, origin, 'user-agent': who.browser }), cookie }
}

function apiAt(origin: string, headers: Readonly<Record<string, string>>): SampleApi {
  return {
    async ask<Answer>(method: string, path: string, body?: object) {
      const answer = await fetch(origin + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`)
      return (text === '' ? null : JSON.parse(text)) as Answer
    },
  }
}

const SERVES_WITHIN_MS = 10_000
const LOOK_MS = 20

/**
 * A chat completion with an API key's secret; resolves when it was answered, or refused. After its clock was moved, a
 * gateway takes no request until it has said in the database that it is alive: then the call is made again.
 */
export async function callModel(
  origin: string,
  call: { readonly secret: string; readonly model: string },
): Promise<void> {
  const headers = {
    authorization: `Bearer ${call.secret}`,
    'content-type': 'application/json',
    'user-agent': 'OpenAI/JS 7.55.0',
  }
  const body = JSON.stringify({ model: call.model, messages: [{ role: 'user', content: 'Say hello in one word.' }] })
  for (let waitedMs = 0; waitedMs < SERVES_WITHIN_MS; waitedMs += LOOK_MS) {
    const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.headers.get('x-tollgate-fault') !== 'store_unavailable') return
    await setTimeout(LOOK_MS)
  }
  throw new Error('the gateway does not serve again after its clock was moved')
}
