import type { AddressProbe, ProbeQuestion, ProbeStep } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { CONNECT_TIMEOUT_MS, UPSTREAM_PROBE_MS } from '../../core/limits.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { AnswerTimer } from './answer-timer.ts'
import { baseUrlOf, credentialHeaders, hiddenOf, secretsOfProxy } from './upstream-address.ts'
import { askForModels } from './model-list-answer.ts'

/**
 * Finds out which protocol an address speaks: asks for its list of models in each protocol's way, the likeliest first, until
 * one answers with such a list. Nothing is kept. Of what is there an admin reads names of models alone, and an error's message;
 * paths are fixed, and redirects are not followed.
 */
export async function probeAddress(
  question: ProbeQuestion,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_PROBE_MS,
): Promise<AddressProbe> {
  const steps: ProbeStep[] = []
  for (const protocol of question.protocol === null ? likeliestFirst(question.baseUrl) : [question.protocol]) {
    const { step, models } = await ask(protocol, question, { clock, limitMs })
    steps.push(step)
    if (models !== null) return { protocol, steps, models }
    // Where nothing answers, no other protocol does.
    if (step.status === null) break
  }
  return { protocol: null, steps, models: [] }
}

/**
 * Orders protocols by the host's name, which tells those that few others speak. A list of models does not tell whether an
 * address takes Responses beside Chat Completions: that of OpenAI does, others may not.
 */
function likeliestFirst(baseUrl: string): readonly RemoteProtocol[] {
  const { hostname } = new URL(baseUrl)
  const chat: RemoteProtocol = /(^|\.)openai\.(com|azure\.com)$/.test(hostname) ? 'openai' : 'openai-chat'
  if (/anthropic|claude/.test(hostname)) return ['anthropic', chat, 'gemini']
  return /googleapis|gemini/.test(hostname) ? ['gemini', chat, 'anthropic'] : [chat, 'anthropic', 'gemini']
}

async function ask(
  protocol: RemoteProtocol,
  { baseUrl: given, credential, proxyUrl, headers }: ProbeQuestion,
  { clock, limitMs }: { readonly clock: Pick<Clock, 'elapsed'>; readonly limitMs: number },
): Promise<{ step: ProbeStep; models: readonly string[] | null }> {
  const baseUrl = baseUrlOf({ protocol, baseUrl: given })
  const timer = new AnswerTimer(clock)
  const client = new HttpUpstream({
    baseUrl,
    headers: credential === null ? headers : { ...headers, ...credentialHeaders({ protocol }, credential) },
    proxyUrl,
    connectTimeoutMs: Math.min(limitMs, CONNECT_TIMEOUT_MS),
    maxConcurrency: null,
    onDial: (wire) => timer.watch(wire),
  })
  const startedAt = clock.elapsed()
  try {
    const secrets = hiddenOf([
      ...(credential === null ? [] : [credential]),
      ...Object.values(headers),
      ...(proxyUrl === null ? [] : secretsOfProxy(proxyUrl)),
    ])
    const { listed, ...meaning } = await askForModels({ client: timer.seen(client), protocol, secrets }, { limitMs })
    const totalMs = Math.round(clock.elapsed() - startedAt)
    const about = { protocol, url: `${baseUrl}/models`, totalMs, times: timer.times }
    return { step: { ...about, ...meaning }, models: listed?.names ?? null }
  } finally {
    await client.close()
  }
}
