import { createHmac } from 'node:crypto'
import { chooseFrom, fill, press, reads } from '../reading.ts'
import type { Place } from '../place.ts'
import { dialog, type View, type World } from './view.ts'

const ofAdmins = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'admin' })

/** What opens on the pages of those who run the place once they have done something there. */
export const OFFICE: readonly View[] = [
  ofAdmins('upstreams, an address that was looked at', '/admin/upstreams?new=upstream', async (at, texts, world) => {
    const t = texts.upstreams
    const drawer = at.getByRole('dialog', { name: t.new })
    // The place itself answers as any other upstream does.
    await fill(drawer, t.adding.url, `${world.place.origin}/v1`)
    await fill(drawer, t.adding.secrets, `${world.ada.secret}\na-wrong-one`)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: 'demo/echo', exact: true }).check()
    await reads(drawer, t.adding.refused)
  }),
  ofAdmins('upstream, each model with each credential', matrixPath, async (at, { upstreams: t }) => {
    await press(at, t.matrix.action)
    const matrix = at.getByRole('dialog', { name: t.matrix.title })
    await press(matrix, t.matrix.start(2))
    await reads(matrix, t.matrix.answered(1, 2))
    await reads(matrix, t.matrix.why)
  }),
  ofAdmins('upstream, its models beside those here', matrixPath, async (at, { upstreams: t }) => {
    await press(at, t.comparing.action)
    const drawer = at.getByRole('dialog', { name: t.comparing.title })
    await reads(drawer, t.comparing.served(1))
    await drawer.getByRole('checkbox').first().check()
  }),
  ofAdmins(
    'prices, an import before it is saved',
    async ({ place }) => {
      for (const name of ['imported-plain', 'imported-odd'])
        await place.admin('POST', '/api/models', { name, price: { input: '1', output: '4' } })
      return '/admin/models/import'
    },
    async (at, { priceImport: t }) => {
      const dollars = (input: number) => ({
        litellm_provider: 'x',
        input_cost_per_token: input / 1e6,
        output_cost_per_token: 4e-6,
      })
      await fill(at, t.source.text, JSON.stringify({ 'imported-plain': dollars(1.5), 'imported-odd': dollars(15) }))
      await press(at, t.source.action)
      await reads(at.getByRole('list', { name: t.list }), t.held.far)
    },
  ),
  ofAdmins(
    'key of another, captures off',
    async ({ ada }) => {
      const { body } = await ada.ask('GET', '/api/keys?search=laptop')
      return `/keys/${body.data[0].id}`
    },
    (at, { captures }) => at.getByRole('link', { name: captures.openSettings }).waitFor(),
  ),
  ofAdmins(
    'key of another, its quota raised',
    async ({ ada }) => {
      const { body } = await ada.ask('GET', '/api/keys?search=laptop')
      return `/keys/${body.data[0].id}`
    },
    async (at, { key }) => {
      await press(at, key.detail.raise.action)
      await dialog(at, key.detail.raise.title('laptop'))
    },
  ),
  ofAdmins('account, its role', ofAda, async (at, { accounts: t, oneAccount }, { ada }) => {
    await chooseFrom(at, oneAccount.moreActions, t.changeRole.action)
    await dialog(at, t.changeRole.title(ada.email))
  }),
  ofAdmins('account, seen as its owner', ofAda, async (at, { accounts: t }, { ada }) => {
    await press(at, t.seeAs.action)
    const asking = at.getByRole('dialog', { name: t.seeAs.title(ada.email) })
    await press(asking, t.seeAs.submit)
    await asking.getByRole('textbox').waitFor()
  }),
  ofAdmins(
    'group, an edit that met another’s',
    async ({ place }) => {
      const { body } = await place.admin('POST', '/api/groups', { name: `met-${Math.random()}` })
      met = body.id
      return `/admin/groups?disable=${met}`
    },
    async (at, { groups: t, shared }, { place }) => {
      const asking = at.getByRole('alertdialog')
      await asking.waitFor()
      await place.admin('PATCH', `/api/groups/${met}`, { multiplier: '3' })
      await press(asking, t.disable)
      await dialog(at, shared.collision.title)
    },
  ),
  ofAdmins(
    'order, its refund',
    async ({ place, ada }) => {
      await payAtShop(place, ada.email)
      return '/admin/plans'
    },
    async (at, { payments: { orders, refund } }) => {
      await press(at.getByRole('region', { name: orders.title }), refund.action)
      const asking = at.getByRole('dialog', { name: refund.title })
      await press(asking, refund.action)
      await asking.getByRole('textbox').first().waitFor()
    },
  ),
]

/** The group of one view. */
let met = ''

async function ofAda({ ada }: World): Promise<string> {
  return `/admin/accounts/${ada.id}`
}

/** An upstream with one credential that is good for its model, and one that is not. */
async function matrixPath({ place, ada }: World): Promise<string> {
  const name = `matrix-${Math.random()}`
  const credentials = [
    { name: 'good', secret: ada.secret },
    { name: 'wrong', secret: 'a-wrong-one' },
  ]
  const upstream = { name, protocol: 'openai', base_url: `${place.origin}/v1`, credentials }
  const { body } = await place.admin('POST', '/api/upstreams', upstream)
  const targets = [{ upstream: name, model: 'demo/echo' }]
  await place.admin('POST', '/api/models', { name: `of-${name}`, price: { input: '1', output: '1' }, targets })
  return `/admin/upstreams/${body.id}`
}

/** An order of a shop of one's own that was paid. */
async function payAtShop(place: Place, account: string): Promise<void> {
  const { body: made } = await place.admin('POST', '/api/payment-settings/signing-secret')
  const order = { provider: 'my-shop', order: `${Math.random()}`, price: { amount: '9.50', currency: 'eur' } }
  const sent = [
    ['orders', 'order.create', { ...order, account, amount: '10' }],
    ['paid', 'order.paid', order],
  ] as const
  for (const [path, purpose, what] of sent) {
    const [body, time] = [JSON.stringify(what), `${Math.floor(Date.now() / 1000)}`]
    const mac = createHmac('sha256', made.secret).update(`${purpose}\n${time}\n${body}`).digest('hex')
    const answer = await fetch(`${place.origin}/api/payments/${path}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-tollgate-timestamp': time,
        'x-tollgate-signature': `v1=${mac}`,
      },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
}
