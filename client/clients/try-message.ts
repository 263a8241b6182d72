/** One real message, which shows that a client that was set up gets an answer, or at which stage it does not. */
import { type Answer, ask, type Question, saidIn, Unreachable } from '../gateway/ask.ts'
import type { DeviceState } from '../gateway/device.ts'
import { shown } from '../gateway/shown.ts'
import { Failure, type Host } from '../host.ts'
import { accessToken } from '../sign-in/access-token.ts'
import type { SignIn } from '../kept/sign-in-store.ts'
import { type ClientKind, MESSAGE, type Plan, programOnPath } from './client-kind.ts'

const ANSWER_WITHIN_MS = 60_000
/** Some clients look for models and updates for half a minute before their first message. */
const CLIENT_WITHIN_MS = 150_000
const ANSWER_TOKENS = 64

interface Tried {
  readonly kind: ClientKind
  readonly plan: Plan
  readonly state: DeviceState
}

/** Sends a message as the client does, then through the client itself where it is installed. Resolves with whether both went well. */
export async function tryMessage(host: Host, signIn: SignIn, { kind, plan, state }: Tried): Promise<boolean> {
  const failure = await failureOf(host, signIn, { plan, state })
  if (failure !== null) {
    host.remark(`A message to ${plan.model} fails at ${failure.stage}: ${failure.sentence}\n`)
    return false
  }
  host.print(`A message to ${plan.model} was answered.\n`)
  return plan.message === null || throughClient(host, kind, plan.message)
}

async function throughClient(host: Host, kind: ClientKind, message: NonNullable<Plan['message']>): Promise<boolean> {
  const program = programOnPath(host, message.program)
  if (program === null) {
    host.print(`${kind.name} was not tried: ${message.program} is in no folder of PATH.\n`)
    return true
  }
  host.print(`Now through ${kind.name} itself …\n`)
  const { code, stdout, stderr } = await host.run({
    program,
    args: message.args,
    env: message.env ?? {},
    folder: host.home,
    withinMs: CLIENT_WITHIN_MS,
  })
  if (code === 0) {
    host.print(`${kind.name} answers: ${shown(stdout, 120)}\n`)
    return true
  }
  const said = shown(stderr.trim() === '' ? stdout : stderr, 300)
  const how = code === null ? 'did not come to its end' : `ended with ${code}`
  host.remark(`A message fails at client: ${kind.name} ${how}.${said === '' ? '' : ` It says: ${said}`}\n`)
  return false
}

interface StageFailure {
  readonly stage: string
  readonly sentence: string
}

async function failureOf(
  host: Host,
  signIn: SignIn,
  { plan, state }: Pick<Tried, 'plan' | 'state'>,
): Promise<StageFailure | null> {
  let token: string
  try {
    token = await accessToken(host, signIn, 'this_program')
  } catch (error) {
    if (error instanceof Unreachable) return { stage: error.stage, sentence: error.message }
    if (error instanceof Failure) return { stage: 'sign-in', sentence: error.message }
    throw error
  }
  try {
    const answer = await ask({ ...messageTo(plan, state, token), withinMs: ANSWER_WITHIN_MS })
    if (answer.status >= 200 && answer.status < 300) return null
    return { stage: stageOf(answer), sentence: saidIn(answer) ?? `The gateway answers ${answer.status}.` }
  } catch (error) {
    if (error instanceof Unreachable) return { stage: error.stage, sentence: error.message }
    throw error
  }
}

/** The smallest request of the protocol. */
function messageTo({ protocol, model }: Plan, { baseUrls }: DeviceState, token: string): Question {
  const messages = [{ role: 'user', content: MESSAGE }]
  const bearer = { authorization: `Bearer ${token}` }
  switch (protocol) {
    case 'anthropic-messages':
      return {
        url: `${baseUrls.anthropic}/v1/messages`,
        json: { model, max_tokens: ANSWER_TOKENS, messages },
        headers: { ...bearer, 'anthropic-version': '2023-06-01' },
      }
    case 'openai-responses':
      return {
        url: `${baseUrls.openai}/responses`,
        json: { model, input: MESSAGE, max_output_tokens: ANSWER_TOKENS },
        headers: bearer,
      }
    case 'openai-chat':
      return {
        url: `${baseUrls.openai}/chat/completions`,
        json: { model, messages, max_tokens: ANSWER_TOKENS },
        headers: bearer,
      }
    case 'gemini':
      return {
        url: `${baseUrls.anthropic}/v1beta/models/${encodeURIComponent(model)}:generateContent`,
        json: {
          contents: [{ role: 'user', parts: [{ text: MESSAGE }] }],
          generationConfig: { maxOutputTokens: ANSWER_TOKENS },
        },
        headers: { 'x-goog-api-key': token },
      }
  }
}

/** What a gateway's faults are about, as far as it matters for what to do. */
const STAGES: readonly (readonly [RegExp, string])[] = [
  [/(?:balance|quota|rate_limited)/, 'money'],
  [/^(?:key_|account_|ip_|credential_)/, 'sign-in'],
  [/^group_/, 'group'],
  [/^(?:model_|base_url|path_)/, 'model'],
  [/^upstream_/, 'upstream'],
]

function stageOf({ status, headers }: Answer): string {
  const fault = headers.get('x-tollgate-fault') ?? ''
  // A limit of an upstream is not one of ours.
  const named = fault.startsWith('upstream_') ? 'upstream' : STAGES.find(([pattern]) => pattern.test(fault))?.[1]
  if (named !== undefined) return named
  if (status === 401) return 'sign-in'
  if (status === 403) return 'group'
  if (status === 404) return 'model'
  return status === 402 || status === 429 ? 'money' : 'upstream'
}
