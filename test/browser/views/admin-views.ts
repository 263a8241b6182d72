import { LANGUAGE_NAMES } from '../../../console/language.ts'
import { press, reads, unfold } from '../reading.ts'
import { dialog, type View } from './view.ts'

const ofAdmins = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'admin' })

export const ADMIN: readonly View[] = [
  ofAdmins('audit', '/admin/audit', (at, { audit }) =>
    at
      .getByText(audit.sentences['account.create'] ?? '')
      .first()
      .waitFor(),
  ),
  ofAdmins('accounts', '/admin/accounts', (at, _texts, { ada }) =>
    at.getByRole('button', { name: ada.email, exact: true }).waitFor(),
  ),
  ofAdmins('accounts, invite', '/admin/accounts?new=invitation', (at, { accounts }) =>
    dialog(at, accounts.inviting.title),
  ),
  ofAdmins(
    'account of another',
    async ({ ada }) => `/admin/accounts/${ada.id}`,
    async (at, { accounts }, { ada }) => {
      await press(at, accounts.credit.action)
      await dialog(at, accounts.credit.title(ada.email))
    },
  ),
  ofAdmins(
    'plans',
    async ({ place }) => {
      const name = `plan-${Math.random()}`
      const quotas = [{ window: '5h', usd: '5' }]
      await place.admin('POST', '/api/plans', { name, groups: ['default'], days: 30, price: '20', quotas })
      await place.admin('POST', '/api/redeem-codes', { amount: '5', count: 2, note: 'spring' })
      return `/admin/plans?q=${name}`
    },
    (at, { plans }) => reads(at.getByRole('region', { name: plans.codes.title }), plans.codes.used('0', '2')),
  ),
  ofAdmins(
    'codes',
    async ({ place }) => {
      await place.admin('POST', '/api/redeem-codes', { amount: '5', note: 'winter' })
      return '/admin/plans/codes?state=unused&q=winter'
    },
    (at, { plans }) => reads(at.getByRole('main'), plans.codes.states.unused),
  ),
  ofAdmins('plans, new', '/admin/plans?new=plan', (at, { plans }) => dialog(at, plans.new)),
  ofAdmins('codes, new', '/admin/plans?new=codes', (at, { plans }) => dialog(at, plans.codes.new)),
  ofAdmins('codes, shown once', '/admin/plans?new=codes', async (at, { plans }) => {
    const form = at.getByRole('dialog', { name: plans.codes.new })
    await form.getByLabel(plans.codes.amount, { exact: true }).fill('5')
    await press(form, plans.codes.new)
    const shown = at.getByRole('dialog', { name: plans.codes.shownTitle(10) })
    await shown.getByRole('checkbox', { name: plans.codes.kept }).check()
  }),
  ofAdmins(
    'plans, assign',
    async ({ place }) => {
      const name = `assigned-${Math.random()}`
      const { body } = await place.admin('POST', '/api/plans', { name, groups: ['default'], days: 30, price: '20' })
      return `/admin/plans?assign=${body.id}`
    },
    async (at, { plans }) => {
      await at.getByRole('combobox', { name: plans.assigning.account }).waitFor()
    },
  ),
  ofAdmins(
    'announcements',
    async ({ place }) => {
      const announced = { title: { en: 'A new database', 'zh-CN': '更换数据库' }, audience: { to: 'signed_out' } }
      await place.admin('POST', '/api/announcements', { ...announced, kind: 'maintenance', level: 'critical' })
      return '/admin/announcements'
    },
    (at, { announcements }) => reads(at.getByRole('main'), announcements.audiences.signed_out),
  ),
  ofAdmins('announcements, new', '/admin/announcements?new=announcement', async (at, { announcements: t }) => {
    await dialog(at, t.new)
    await at.getByLabel(t.form.titleIn(LANGUAGE_NAMES.en), { exact: true }).fill('A')
    await at.getByLabel(t.form.titleIn(LANGUAGE_NAMES['zh-CN']), { exact: true }).fill('一')
  }),
  ofAdmins(
    'incidents',
    async ({ place }) => {
      await place.admin('POST', '/api/groups', { name: `changed-${Math.random()}` })
      return '/admin/incidents'
    },
    (at, { incidents: t, audit }) =>
      reads(at.getByRole('region', { name: t.lanes.changes }), audit.sentences['group.create'] ?? ''),
  ),
  ofAdmins('prices', '/admin/models', (at) => at.getByRole('button', { name: 'demo/echo' }).first().waitFor()),
  ofAdmins('prices, import', '/admin/models/import', (at, { priceImport }) =>
    at.getByRole('button', { name: priceImport.source.action }).waitFor(),
  ),
  ofAdmins('accounts, credit many', '/admin/accounts?new=credits', (at, { accounts }) =>
    dialog(at, accounts.credits.title),
  ),
  ofAdmins(
    'price of a model',
    async ({ place }) => {
      const { body } = await place.admin('POST', '/api/models', {
        name: `priced-${Math.random()}`,
        price: {
          input: '2',
          output: '8',
          tiers: [{ above_input_tokens: 200_000, input: '4', output: '12' }],
          service_tiers: { priority: { factor: '2' } },
          per_call: { web_search: '0.01' },
        },
      })
      return `/admin/models/${body.id}`
    },
    async (at, { prices }) => {
      await at.getByRole('button', { name: prices.editor.removeTier(1) }).waitFor()
      await unfold(at.getByRole('main'), prices.calculator.title)
      await reads(at.getByRole('group').filter({ hasText: prices.calculator.title }), '1.224')
    },
  ),
  ofAdmins(
    'what a model takes',
    async ({ place }) => {
      const name = `takes-${Math.random()}`
      const body = { name, protocol: 'openai', base_url: `${place.origin}/v1` }
      await place.admin('POST', '/api/upstreams', body)
      const targets = [
        { upstream: name, model: 'o3', rules: { temperature: 'taken' } },
        { upstream: name, model: 'house' },
      ]
      const made = await place.admin('POST', '/api/models', {
        name,
        price: { input: '1', output: '1' },
        rules: { stops: 4 },
        targets,
      })
      return `/admin/models/${made.body.id}`
    },
    async (at, { prices, modelFacts: t }) => {
      await press(at, prices.targets.facts)
      await press(at, t.changeOf(t.facts.tool_schema))
      await at.getByRole('form', { name: t.changeOf(t.facts.tool_schema) }).waitFor()
    },
  ),
  ofAdmins('requests', '/admin/requests?by=account&and=model', async (at, { requests }, { ada }) => {
    await at
      .getByRole('button', { name: requests.filter(ada.email) })
      .first()
      .waitFor()
    await reads(at.getByRole('region', { name: requests.live.title }), 'demo/echo')
  }),
  ofAdmins('groups', '/admin/groups', (at, { groups }) =>
    at.getByRole('button', { name: groups.actionsOf('default') }).waitFor(),
  ),
  ofAdmins('groups, new', '/admin/groups?new=group', (at, { groups }) => dialog(at, groups.new)),
  ofAdmins(
    'groups, edit',
    async ({ place }) => {
      const { body } = await place.admin('GET', '/api/groups?search=default')
      return `/admin/groups?edit=${body.data[0].id}`
    },
    async (at, { groups }) => {
      await dialog(at, groups.form.editTitle('default'))
      await at.getByLabel(groups.form.multiplier, { exact: true }).fill('0.5')
      await at.getByRole('status').filter({ hasText: groups.effect.title }).waitFor()
    },
  ),
  ofAdmins(
    'groups, delete',
    async ({ place }) => {
      const { body } = await place.admin('GET', '/api/groups?search=default')
      return `/admin/groups?delete=${body.data[0].id}`
    },
    (at, { groups }) => at.getByRole('alertdialog', { name: groups.deleting.title('default') }).waitFor(),
  ),
  ofAdmins('upstreams', '/admin/upstreams', (at, { upstreams }) =>
    at.getByRole('region', { name: upstreams.title }).or(at.getByRole('table')).first().waitFor(),
  ),
  ofAdmins('upstreams, new', '/admin/upstreams?new=upstream', (at, { upstreams }) => dialog(at, upstreams.new)),
  ofAdmins(
    'upstream',
    async ({ place }) => {
      const body = {
        name: `ups-${Math.random()}`,
        protocol: 'openai',
        base_url: 'http://127.0.0.1:1/v1',
        credentials: [{ name: 'default', secret: 'k', requests_per_minute: 5, shadow: ['requests_per_minute'] }],
        spend_per_day: '5',
        shadow: ['spend_per_day'],
      }
      const { body: made } = await place.admin('POST', '/api/upstreams', body)
      return `/admin/upstreams/${made.id}`
    },
    async (at, { upstreams }) => {
      await at.getByRole('button', { name: `${upstreams.test} default` }).waitFor()
      await reads(at.getByRole('region', { name: upstreams.shadow.title }), upstreams.shadow.rules.spend_per_day)
    },
  ),
  ofAdmins('settings', '/admin/settings', (at, { settings }) =>
    at.getByRole('button', { name: settings.edit(settings.settings.site_name.name) }).waitFor(),
  ),
  ofAdmins('environment', '/admin/environment', async (at, { settings }) => {
    await at.getByText(settings.environment.parts.server, { exact: true }).click()
    await at.getByText('TOLLGATE_DATA_DIR', { exact: true }).waitFor()
  }),
  ofAdmins('settings, alert body', '/admin/settings?edit=alert_template', async (at, { settings }) => {
    const form = at.getByRole('dialog', { name: settings.form.title(settings.settings.alert_template.name) })
    await form.getByLabel(settings.form.json, { exact: true }).fill('{"text": "{{title}}"}')
    await reads(form, settings.form.previewLead)
  }),
  ofAdmins('settings, Stripe', '/admin/settings?edit=stripe', (at, { paymentSettings: t }) =>
    dialog(at, t.edit(t.parts.stripe.name)),
  ),
  ofAdmins('settings, epay', '/admin/settings?edit=epay', (at, { paymentSettings: t }) =>
    dialog(at, t.edit(t.parts.epay.name)),
  ),
  ofAdmins('settings, amounts', '/admin/settings?edit=amounts', (at, { paymentSettings: t }) =>
    dialog(at, t.edit(t.parts.amounts.name)),
  ),
  ofAdmins('settings, own shop', '/admin/settings?edit=shop', (at, { paymentSettings: t }) =>
    dialog(at, t.parts.shop.name),
  ),
  ofAdmins('settings, limits', '/admin/settings?edit=account_limits', (at, { settings }) =>
    dialog(at, settings.form.title(settings.settings.account_limits.name)),
  ),
  ofAdmins('settings, import links', '/admin/settings?edit=imports', async (at, { settings }) => {
    await press(at, settings.form.addImport)
    await at.getByLabel(settings.form.importName(1), { exact: true }).waitFor()
  }),
  ofAdmins('settings, registration', '/admin/settings?edit=registration', (at, { settings }) =>
    dialog(at, settings.form.title(settings.settings.registration.name)),
  ),
  ofAdmins('system', '/admin/system', async (at, { system }) => {
    await unfold(at.getByRole('main'), system.database.tables)
    await reads(at.getByRole('region', { name: system.database.tables }), 'audit_entries')
  }),
  ofAdmins('operations', '/admin', (at, { operations }) =>
    reads(at.getByRole('region', { name: operations.needs }), operations.items.model_unknown('demo/ecco')),
  ),
]
