/** The purses beside a balance that may have a cent, and nothing more: what many requests at once must not pass either. */
import type { AttackedGateway, Purse } from '../attacked-gateway.ts'

export const CENT_USD = '0.01'
const PLENTY = '500'
const WINDOW = [{ window: '5h', usd: CENT_USD }]

type Opening = (gateway: AttackedGateway) => Promise<Purse>

export const PURSES: readonly (readonly [name: string, open: Opening])[] = [
  ['the quota of a key', (gateway) => gateway.purse(PLENTY, { quota_limit: CENT_USD })],
  ['the spend window of a key', (gateway) => gateway.purse(PLENTY, { rate_limit: { spend: WINDOW } })],
  [
    'the spend window of an account',
    async (gateway) => {
      const purse = await gateway.purse(PLENTY)
      await gateway.admin.ask('PATCH', `/api/accounts/${purse.accountId}`, { limits: { spend: WINDOW } })
      return purse
    },
  ],
  ['the window of a subscription', (gateway) => subscriber(gateway, [{ window: '5h', usd: CENT_USD }])],
  ['the whole term of a subscription', (gateway) => subscriber(gateway, [{ window: 'term', usd: CENT_USD }])],
  [
    'half a subscription and half a balance',
    async (gateway) => {
      const purse = await subscriber(gateway, [{ window: 'term', usd: '0.005' }])
      await gateway.credit(purse, '0.005')
      return purse
    },
  ],
]

/** A purse without a balance, on a plan of its own that was given. */
async function subscriber(gateway: AttackedGateway, quotas: readonly object[]): Promise<Purse> {
  const { admin, prefix } = gateway
  const purse = await gateway.purse('0')
  const name = `${prefix}${purse.keyId}`
  await admin.ask('POST', '/api/plans', { name, groups: [`${prefix}group`], days: 30, price: '1', quotas })
  await admin.ask('POST', `/api/accounts/${purse.accountId}/subscriptions`, { plan: name })
  return purse
}
