import { content, fill, press, reads } from '../reading.ts'
import { dialog, page, type View } from './view.ts'

export const MONEY: readonly View[] = [
  page('usage', '/usage', (at, { usage }) => reads(at.getByRole('region', { name: usage.records }), 'laptop')),
  page('usage, filters and table', '/usage?split=key', async (at, { usage }) => {
    await press(at, usage.filters.title)
    const sums = at.getByRole('region', { name: usage.summary })
    await at.getByRole('radio', { name: usage.asTable }).check()
    await sums.getByRole('table').waitFor()
  }),
  page('usage, spend by key', '/usage/keys', (at, { keySpend }) =>
    reads(at.getByRole('region', { name: keySpend.list }), 'laptop'),
  ),
  page('usage, spend by tag', '/usage/tags', (at, { keySpend }) =>
    reads(at.getByRole('region', { name: keySpend.tagList }), 'team a'),
  ),
  page('usage, a request', '/usage?model=demo%2Freasoner', async (at, { usage, record }) => {
    await at
      .getByRole('region', { name: usage.records })
      .getByRole('row')
      .nth(2)
      .getByRole('rowheader')
      .getByRole('button')
      .click()
    await reads(at.getByRole('dialog'), record.price)
  }),
  page('usage, a failed request', '/usage?fault=model_unknown', async (at, { usage, faults }) => {
    await at
      .getByRole('region', { name: usage.records })
      .getByRole('row')
      .nth(1)
      .getByRole('rowheader')
      .getByRole('button')
      .click()
    await reads(at.getByRole('dialog'), faults.model_unknown.title)
  }),
  { ...page('usage, none yet', '/usage', (at, { usage }) => reads(content(at), usage.nothingInSpan)), as: 'new' },
  page('models', '/models', (at) => at.getByRole('button', { name: 'demo/echo', exact: true }).waitFor()),
  page('models, comparing two', '/models?compare=demo%2Fecho&with=demo%2Freasoner', (at, { models }) =>
    dialog(at, models.compare.title),
  ),
  page('models, as a list', '/models', async (at, { models, shared }) => {
    await at.getByRole('checkbox', { name: shared.table.selectRow('demo/echo') }).check()
    await press(at, models.copyList.action)
    await dialog(at, models.copyList.title)
  }),
  page('models, one of them', '/models?model=demo%2Fecho', (at, { models }) =>
    reads(at.getByRole('dialog'), models.drawer.prices),
  ),
  page('billing', '/billing', (at, { billing }) => reads(content(at), billing.subscriptions.statuses.running)),
  page('billing, a day', '/billing', async (at, { billing }) => {
    const days = at.getByRole('region', { name: billing.ledger.title })
    await days.getByRole('listitem').getByRole('group').first().click()
    await days.getByRole('listitem').getByRole('link').first().waitFor()
  }),
  page('billing, all entries', '/billing?view=entries', (at, { billing }) =>
    at.getByRole('region', { name: billing.ledger.title }).getByRole('row').nth(1).waitFor(),
  ),
  {
    ...page('billing, new', '/billing', (at, { billing }) => reads(content(at), billing.subscriptions.empty)),
    as: 'new',
  },
  // The last: from here on, something can be bought.
  {
    ...page(
      'billing, top-up',
      async ({ place }) => {
        const secrets = {
          secret_key: 'sk_test_only_for_tests_0123456789',
          webhook_secret: 'whsec_only_for_tests_0123456789',
        }
        await place.admin('PATCH', '/api/payment-settings', {
          stripe: { on: true, currency: 'eur', per_usd: '0.95', invoices: true, ...secrets },
        })
        return '/billing'
      },
      async (at, { payments: { topUp }, shared }) => {
        const card = at.getByRole('region', { name: topUp.title })
        await fill(card, topUp.amount, '')
        await press(card, topUp.pay)
        await reads(card, shared.required)
      },
    ),
    as: 'new',
  },
]
