import { secretFrom } from '../installation/environment.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import { connectionAdvice, readGatewayUrl } from './gateway-url.ts'

/** One question to the API of a running gateway. */
export interface GatewayQuestion {
  readonly baseUrl: string
  readonly method: 'GET' | 'POST'
  /** The path, with its query. */
  readonly path: `/api/${string}`
  readonly body?: object
  readonly withinMs: number
}

/** What the API answered. `body`: parsed; null where it is not JSON. */
export interface GatewayAnswer {
  readonly status: number
  readonly body: unknown
  /** What a refusal says, in the API's words. */
  readonly detail: string
  readonly retryAfterSeconds: number | null
}

/** Asks with the token in TOLLGATE_ADMIN_TOKEN. Throws UsageError without one, CommandFailure where no answer comes. */
export async function askGateway(host: CliHost, question: GatewayQuestion): Promise<GatewayAnswer> {
  const token = secretFrom(host.environment, 'TOLLGATE_ADMIN_TOKEN')?.trim() ?? ''
  if (token === '') {
    throw new UsageError('Set TOLLGATE_ADMIN_TOKEN to the gateway’s admin token, or to an access token of yours.')
  }
  const { origin } = readGatewayUrl(question.baseUrl)
  const { method, path, body, withinMs } = question
  let response: Response
  try {
    response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    })
  } catch (error) {
    throw new CommandFailure(connectionAdvice(error, origin))
  }
  const answer: unknown = await response.json().catch(() => null)
  const after = Number(response.headers.get('retry-after') ?? NaN)
  return {
    status: response.status,
    body: answer,
    detail: typeof answer === 'object' && answer !== null && 'detail' in answer ? String(answer.detail) : '',
    retryAfterSeconds: Number.isFinite(after) ? after : null,
  }
}

/** The answer's body. Throws CommandFailure with what the API said where it is a refusal. */
export function goodBody({ status, body, detail }: GatewayAnswer, baseUrl: string): unknown {
  if (status >= 200 && status < 300 && body !== null) return body
  throw new CommandFailure(`${readGatewayUrl(baseUrl).origin} answered ${status}. ${detail}`)
}
