import type { AddressProbe, ProbedCloud, ProbeQuestion, ProbeStep } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { CONNECT_TIMEOUT_MS, UPSTREAM_PROBE_MS } from '../../core/limits.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import type { HttpUpstreamOptions } from '../../upstreams/http-upstream.ts'
import { AnswerTimer } from './answer-timer.ts'
import type { RequestOverrides } from '../../routing/catalog.ts'
import { baseUrlOf } from '../../routing/upstream-settings.ts'
import { hiddenOf, secretsOfProxy } from './upstream-address.ts'
import { dialectOfUpstream } from './cloud-clients.ts'
import { askWhereListed, listClient } from './cloud-model-list.ts'
import type { MintedCredentials, MintedFor } from '../../upstreams/minted-credentials.ts'

/**
 * Finds out which protocol an address speaks, and its base URL: asks for its list of models in each protocol's way, the
 * likeliest first, until one answers with such a list. Where no protocol is named, the base URL may be one of an endpoint, or
 * lack its `/v1`. Nothing is kept. Of what is there an admin reads names of models alone, and an error's message; paths are
 * fixed, and redirects are not followed.
 */
export async function probeAddress(
  question: ProbeQuestion,
  clock: Pick<Clock, 'elapsed'>,
  { limitMs = UPSTREAM_PROBE_MS, minted = null }: Partial<Pick<ProbeMeans, 'limitMs' | 'minted'>> = {},
): Promise<AddressProbe> {
  const steps: ProbeStep[] = []
  for (const { protocol, baseUrl } of waysToAsk(question)) {
    const { step, models } = await ask(protocol, { ...question, baseUrl }, { clock, limitMs, minted })
    steps.push(step)
    if (models !== null) return { protocol, baseUrl, steps, models }
    // Where nothing answers, no other protocol does.
    if (step.status === null) break
  }
  return { protocol: null, baseUrl: question.baseUrl, steps, models: [] }
}

/**
 * The addresses and protocols to try, at most four. Clients of OpenAI's protocol add no version, so a base URL without one is
 * asked as it is and with `/v1`.
 */
function waysToAsk({
  protocol: named,
  baseUrl: given,
}: ProbeQuestion): readonly { readonly protocol: RemoteProtocol; readonly baseUrl: string }[] {
  if (named !== null) return [{ protocol: named, baseUrl: given }]
  const baseUrl = given.replace(ENDPOINT, '')
  return likeliestFirst(baseUrl).flatMap((protocol) => {
    const mayLackVersion = protocol.startsWith('openai') && !ENDS_IN_VERSION.test(baseUrl)
    return [baseUrl, ...(mayLackVersion ? [`${baseUrl}/v1`] : [])].map((each) => ({ protocol, baseUrl: each }))
  })
}

/** What people copy along with a base URL from a provider's examples. */
const ENDPOINT = /\/(?:chat\/completions|completions|responses|messages|embeddings|models(?:\/[^/]+:\w+)?)$/
const ENDS_IN_VERSION = /\/v\d[\w.]*$/

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

interface ProbeMeans {
  readonly clock: Pick<Clock, 'elapsed'>
  readonly limitMs: number
  /** Where tokens are minted; null: nowhere. */
  readonly minted: Pick<MintedCredentials, 'authorizer'> | null
}

async function ask(
  protocol: RemoteProtocol,
  question: ProbeQuestion,
  { clock, limitMs, minted: minting }: ProbeMeans,
): Promise<{ step: ProbeStep; models: readonly string[] | null }> {
  const { baseUrl: given, credential, proxyUrl, headers, protocol: named, cloud, minted } = question
  const passage = cloud === undefined ? {} : { passage: passageOf(cloud) }
  const baseUrl = baseUrlOf({ protocol, baseUrl: given, ...passage })
  const upstream = { protocol, baseUrl: given, ...passage }
  const dialect = dialectOfUpstream(upstream)
  const listing = dialect?.list
  const timer = new AnswerTimer(clock)
  const http: HttpUpstreamOptions = {
    baseUrl,
    headers,
    proxyUrl,
    connectTimeoutMs: Math.min(limitMs, CONNECT_TIMEOUT_MS),
    maxConcurrency: null,
    onDial: (wire) => timer.watch(wire),
  }
  const authorizer =
    minted === undefined || minting === null
      ? null
      : minting.authorizer(mintedFor({ ...question, protocol, baseUrl }, minted, passage), UNHEARD)
  const secret = minted === undefined ? credential : null
  const client = listClient({ upstream, dialect, http, secret, authorizer })
  const startedAt = clock.elapsed()
  try {
    const secrets = hiddenOf([
      ...(credential === null ? [] : [credential]),
      ...Object.values(headers),
      ...(proxyUrl === null ? [] : secretsOfProxy(proxyUrl)),
    ])
    const list = { client: timer.seen(client), protocol, secrets }
    const { listed, ...meaning } = await askWhereListed(listing, list, { limitMs })
    const totalMs = Math.round(clock.elapsed() - startedAt)
    const url = listing == null ? `${baseUrl}/models` : listing.url.replace(/\?.*$/, '')
    const about = { protocol, url, totalMs, times: timer.times }
    if (listed?.isOfOther === true && named === null) {
      const other = { isGood: false, result: 'other_protocol', detail: LISTS_AS_ANOTHER } as const
      return { step: { ...about, ...meaning, ...other }, models: null }
    }
    return { step: { ...about, ...meaning }, models: listed?.names ?? null }
  } finally {
    await client.close()
  }
}

/** A credential that no upstream has yet, as it is minted for one. */
function mintedFor(
  {
    protocol,
    baseUrl,
    credential,
  }: Pick<ProbeQuestion, 'baseUrl' | 'credential'> & { readonly protocol: RemoteProtocol },
  minted: NonNullable<ProbeQuestion['minted']>,
  passage: { readonly passage?: RequestOverrides },
): MintedFor {
  return {
    upstream: { id: 'probe', name: 'probe', protocol, baseUrl, ...passage },
    credential: { name: 'default', sealedSecret: '', ...minted },
    secret: credential ?? '',
  }
}

/** A listener for a credential that is asked with once: the answer says what came of it. */
const UNHEARD = { onFailure: () => {}, onRecovered: () => {}, onSecrets: () => {} }

/** A cloud as an upstream has it. */
function passageOf({ dialect, region, apiVersion }: ProbedCloud): RequestOverrides {
  return { dialect, ...(region === null ? {} : { region }), ...(apiVersion === null ? {} : { apiVersion }) }
}

const LISTS_AS_ANOTHER = 'It answered with a list of models in the form of another protocol.'
