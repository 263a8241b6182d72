import type { Person, Place } from './place.ts'

/** An account in the middle of working life: keys in every state, requests that went well and that did not, money. */
export interface Furnished extends Person {
  /** The secret of the key `laptop`. */
  readonly secret: string
  /** An unused code. */
  readonly redeemCode: string
}

export async function furnish(place: Place): Promise<Furnished> {
  const ada = await place.person({ balance: '5' })
  const key = async (name: string, more: object = {}): Promise<{ id: string; secret: string }> => {
    const { body } = await ada.ask('POST', '/api/keys', { name, group: 'default', ...more })
    return { id: body.key.id, secret: body.secret }
  }
  const inAWeek = new Date(Date.now() + 6 * 86_400_000).toISOString()
  const laptop = await key('laptop', { quota_limit: '20', quota_reset: 'monthly', expires_at: inAWeek })
  const server = await key('build server', {
    rate_limit: { requests_per_minute: 60, spend: [{ window: '1d', usd: '5' }] },
    allowed_models: ['demo/echo'],
    tags: ['team a'],
  })
  const old = await key('an old one with a name that is rather long, as people write them when they are in a hurry')
  await ada.ask('PATCH', `/api/keys/${old.id}`, { status: 'disabled' })
  await ada.ask('POST', `/api/keys/${server.id}/rotate`, { overlap_seconds: 86_400 })
  for (const model of ['demo/echo', 'demo/reasoner', 'demo/tools', 'demo/ecco'])
    await place.call(laptop.secret, hello(model))
  await place.call(server.secret, hello('demo/reasoner'))
  await place.call(old.secret)
  await place.call(laptop.secret, { ...hello('demo/echo'), stream: true })
  const name = `pro of ${ada.email}`
  const quotas = [
    { window: '5h', usd: '5' },
    { window: '7d', usd: '40' },
  ]
  await place.admin('POST', '/api/plans', { name, groups: ['default'], days: 30, price: '20', quotas })
  await place.admin('POST', `/api/accounts/${ada.id}/subscriptions`, { plan: name })
  await place.call(laptop.secret)
  const { body: made } = await place.admin('POST', '/api/redeem-codes', { amount: '7.5' })
  return { ...ada, secret: laptop.secret, redeemCode: made.codes[0] }
}

function hello(model: string): object {
  return { model, messages: [{ role: 'user', content: 'Hello' }] }
}
