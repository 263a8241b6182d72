import { content, hears, press, reads } from '../reading.ts'
import { page, question, type View } from './view.ts'

const SECRET = /sk-tg-\w{46}/

export const START: readonly View[] = [
  page(
    'key',
    async ({ ada }) => {
      const { body } = await ada.ask('GET', '/api/keys?search=laptop')
      return `/keys/${body.data[0].id}`
    },
    (at, { key }) => reads(at.getByRole('region', { name: key.detail.limits }), key.detail.quota),
  ),
  page('overview', '/overview', (at, { overview }) =>
    reads(at.getByRole('region', { name: overview.requests.title }), 'laptop'),
  ),
  page('start, of another client', '/overview?another=1', (at, { start }) => reads(content(at), start.key.create)),
  { ...page('start, first visit', '/overview', (at, { start }) => reads(content(at), start.key.create)), as: 'new' },
  {
    ...page('start, leaving', '/overview', async (at, { start, shared }) => {
      await press(at, start.key.create)
      await at.getByRole('radio', { name: 'curl', exact: true }).waitFor()
      await at.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
      await question(at)
    }),
    as: 'new',
  },
  {
    ...page('start, one key', '/overview', (at, { start }) => reads(content(at), start.key.otherWays)),
    as: 'new',
  },
  {
    ...page('start, waiting and failing', '/overview', async (at, { start, faults }, { place }) => {
      // The key of the view before this one.
      await press(at, start.key.newSecret)
      await at.getByRole('radio', { name: 'curl', exact: true }).check()
      const steps = at.getByRole('list', { name: start.steps })
      // The steps are there before the secret that was asked for.
      await reads(steps, SECRET)
      const { status } = await place.call(SECRET.exec(await steps.innerText())?.[0] ?? '')
      if (status !== 402) throw new Error(`an account without money got ${status}`)
      await hears(at, faults.balance_exhausted.title)
    }),
    as: 'new',
  },
  {
    ...page('start, answered', '/overview', async (at, { start, key }, { place }) => {
      const { data } = (await place.admin('GET', '/api/accounts?limit=1')).body
      const credit = { amount: '1', reason: 'for a view', kind: 'credit' }
      await place.admin('POST', `/api/accounts/${data[0].id}/ledger`, credit)
      await press(at.getByRole('list', { name: start.steps }), key.message.send)
      await hears(at, key.message.answered('demo/echo'))
    }),
    as: 'new',
  },
]
