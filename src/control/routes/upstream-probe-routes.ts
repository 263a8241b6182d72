import { mustBe } from '../../core/must-be.ts'
import { upstreamProbe, upstreamProbeAsked } from '../../contract/upstream-probe.ts'
import { upstreamStatuses } from '../../contract/upstreams.ts'
import {
  BASE_URL_FORM,
  CREDENTIAL_FORM,
  isCredential,
  PROXY_URL_FORM,
  readBaseUrl,
  readProxyUrl,
} from '../../routing/upstream-settings.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readUpstreamStatuses } from '../models/upstream-status.ts'

const route = routesOf('Catalogue')

const probeUpstream = route('post /api/upstreams/probe', {
  summary: 'Find out what an address is before it is an upstream',
  description:
    'Asks for its list of models in the way of each protocol, the likeliest first, with the credential; through proxy_url where it is given; one after the other, at most four requests of six seconds each. A base URL of OpenAI’s protocol without a version is also asked with /v1, and the path of an endpoint is taken off: base_url in the answer is the one that fits. A proxy that fails is named in the step’s detail. Nothing is kept but an audit entry. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isRepeatable: false, asksAddress: true },
  body: upstreamProbeAsked,
  answer: upstreamProbe,
  example: { body: { base_url: 'https://api.example.com/v1', credential: 'sk-…' } },
  async handle(call, { probeAddress }) {
    const { base_url: sent, credential, protocol, proxy_url: proxy } = call.body
    const baseUrl = readBaseUrl(sent.trim())
    if (baseUrl === null) throw fieldProblem('base_url', `base_url ${mustBe(BASE_URL_FORM)}.`)
    if (credential !== null && !isCredential(credential)) {
      throw fieldProblem('credential', `credential ${mustBe(CREDENTIAL_FORM)}.`)
    }
    const proxyUrl = proxy === null ? null : readProxyUrl(proxy.trim())
    if (proxy !== null && proxyUrl === null) throw fieldProblem('proxy_url', `proxy_url ${mustBe(PROXY_URL_FORM)}.`)
    // Before it is asked: which admin looked at which address is known, also where the answer never comes.
    await call.change((_, audit) => {
      const changes = { base_url: { before: null, after: baseUrl } }
      return audit({ action: 'upstream.probe', subject: null, accountId: null, changes })
    })
    const probe = await probeAddress({ baseUrl, credential, protocol, proxyUrl, headers: {} })
    return {
      protocol: probe.protocol,
      base_url: probe.baseUrl,
      steps: probe.steps.map(({ isGood, totalMs, times, ...step }) => ({
        ...step,
        ok: isGood,
        total_ms: totalMs,
        dns_ms: times.dnsMs,
        connect_ms: times.connectMs,
        tls_ms: times.tlsMs,
        first_byte_ms: times.firstByteMs,
      })),
      models: [...probe.models],
    }
  },
})

const readStatuses = route('get /api/upstreams/status', {
  summary: 'Read how all upstreams stand',
  description:
    'As the node that answers sees them, with what failed lately: of the newest 200 failed requests of the last day.',
  who: 'staff',
  answer: upstreamStatuses,
  handle: (call, parts) => readUpstreamStatuses(call.nowMs, parts),
})

/** The routes without an id come before those of one upstream: the first path that fits serves. */
export const upstreamProbeRoutes: readonly ApiRoute[] = [probeUpstream, readStatuses]
