/** The attacked gateway with what attacks on its edge need: a purse, and a model of an upstream that means harm. */
import { type AttackedGateway, attackedGateway, type Purse, UPSTREAM_CREDENTIAL } from '../attacked-gateway.ts'
import { openModels } from '../money/open-models.ts'
import { scriptedUpstream } from '../../support/scripted-upstream.ts'
import { hostile } from './hostile-upstream.ts'

export interface Edge {
  readonly gateway: AttackedGateway
  readonly purse: Purse
  readonly hostileModel: string
  close(): Promise<void>
}

export const HEADER_SECRET = 'a-secret-in-a-header-of-an-upstream'

export async function openEdge(): Promise<Edge> {
  const gateway = await attackedGateway()
  const upstream = await scriptedUpstream(hostile)
  await openModels(gateway)
  const { admin, prefix } = gateway
  const name = `${prefix}hostile`
  const about = { protocol: 'openai', base_url: `${upstream.url}/v1`, headers: { 'x-secret': HEADER_SECRET } }
  await admin.ask('POST', '/api/upstreams', { name, credential: UPSTREAM_CREDENTIAL, ...about })
  const targets = [{ upstream: name, model: 'm' }]
  await admin.ask('POST', '/api/models', { name, price: { input: '1', output: '1' }, targets })
  return {
    gateway,
    purse: await gateway.purse('10'),
    hostileModel: name,
    async close() {
      await gateway.close()
      upstream.close()
    },
  }
}
