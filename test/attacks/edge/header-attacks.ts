/** What a client's headers and content types do beside the credential that the gateway sends. */
import { request } from 'node:http'
import { expect } from 'vitest'
import type { BilledCall } from '../../support/provider/ledger.ts'
import { modelName } from '../money/open-models.ts'
import { attack } from '../attack.ts'
import type { Edge } from './edge.ts'

/** Names that steer a provider or a gateway behind this one, or that carry credentials there. */
const STEERING = (
  'x-goog-fieldmask x-goog-user-project x-http-method-override x-http-method x-method-override api-key authentication ' +
  'x-portkey-api-key x-portkey-config x-portkey-custom-host x-portkey-provider helicone-auth helicone-target-url ' +
  'helicone-openai-api-base x-litellm-api-key x-amz-security-token x-amz-date x-client-ip true-client-ip x-cluster-client-ip ' +
  'fastly-client-ip set-cookie x-original-url x-rewrite-url x-ms-client-principal ocp-apim-subscription-key ' +
  'x-auth-token private-token cookie forwarded x-forwarded-for x-real-ip cf-connecting-ip proxy-authorization'
).split(' ')

export function headerAttacks(edge: () => Edge): void {
  attack('no header of a client that steers an upstream, or that carries a credential, arrives there', async () => {
    const headers = Object.fromEntries(STEERING.map((name) => [name, `smuggled-${name}`]))
    const call = await callWith(edge(), headers)
    expect(STEERING.filter((name) => String(call.headers[name] ?? '').includes('smuggled'))).toEqual([])
  })

  attack('a header that Connection names ends at the gateway', async () => {
    const call = await callWith(edge(), { connection: 'keep-alive, x-stainless-lang', 'x-stainless-lang': 'smuggled' })
    expect(call.headers['x-stainless-lang']).toBeUndefined()
  })

  attack('what clients of the providers send arrives', async () => {
    const sent = { 'x-stainless-lang': 'js', 'openai-beta': 'assistants=v2', 'user-agent': 'OpenAI/JS 7.55.0' }
    const call = await callWith(edge(), sent)
    expect(call.headers).toMatchObject(sent)
  })

  attack('JSON goes out as JSON, whatever the client calls it', async () => {
    const types = ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded', 'text/plain', 'text/html']
    for (const type of types) {
      const call = await callWith(edge(), { 'content-type': type }, { mayFail: true })
      expect([undefined, 'application/json']).toContain(call?.headers['content-type']?.split(';')[0])
    }
  })
}

function callWith(edge: Edge, headers: Readonly<Record<string, string>>): Promise<BilledCall>
function callWith(
  edge: Edge,
  headers: Readonly<Record<string, string>>,
  options: { readonly mayFail: true },
): Promise<BilledCall | undefined>
async function callWith(
  { gateway, purse }: Edge,
  headers: Readonly<Record<string, string>>,
  options?: { readonly mayFail: true },
) {
  const before = gateway.provider.ledger.calls.length
  const model = modelName(gateway.prefix, 'plain')
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Write 2 words.' }] })
  const status = await new Promise<number>((resolve, reject) => {
    const outgoing = request(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${purse.secret}`, ...headers },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.end(body)
  })
  const call = gateway.provider.ledger.calls[before]
  if (call === undefined && options === undefined) throw new Error(`the request was answered ${status}`)
  return call
}
