import type { Page } from 'playwright-core'
import { totpCode } from './totp-code.ts'
import type { Furnished } from './furnish.ts'
import type { Texts } from './languages.ts'
import type { Person, Place } from './place.ts'
import { arrives, content, eventually, field as fieldOf, fill, hears, press, reads, unfold } from './reading.ts'

/** Something of the console that people see: a page, a part of one, or what opens on it. */
export interface View {
  readonly name: string
  /** Below `/console`; given a place, so that links can be made for it. */
  readonly path: string | ((world: World) => Promise<string>)
  /** `new`: signed in without anything of one's own yet. Default: an account in the middle of working life. */
  readonly as?: 'signed_out' | 'new' | 'admin'
  /** Waits until it is there, and opens what it is about. */
  show(page: Page, texts: Texts, world: World): Promise<void>
}

export interface World {
  readonly place: Place
  readonly ada: Furnished
  readonly root: Person
}

const page = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show })
const outside = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'signed_out' })

/** From the menu of the row of the key `laptop`. */
const ofLaptop = (name: string, item: (keys: Texts['keys']) => string, show: View['show']): View =>
  page(`keys, ${name}`, '/keys', async (at, texts, world) => {
    await at.getByRole('button', { name: texts.keys.actionsOf('laptop'), exact: true }).click()
    await at.getByRole('menuitem', { name: item(texts.keys), exact: true }).click()
    await show(at, texts, world)
  })

const dialog = (at: Page, name: string) => at.getByRole('dialog', { name }).waitFor()
const question = (at: Page) => at.getByRole('alertdialog').waitFor()

const SECRET = /sk-tg-\w{46}/

const KEYS: readonly View[] = [
  page('keys', '/keys', (at, { keys }) => at.getByRole('button', { name: keys.actionsOf('laptop') }).waitFor()),
  {
    ...page('keys, none yet', '/keys', (at, { keys }) => reads(content(at), keys.empty.title)),
    as: 'new',
  },
  page('keys, row menu', '/keys', async (at, { keys }) => {
    await at.getByRole('button', { name: keys.actionsOf('laptop'), exact: true }).click()
    await at.getByRole('menu').waitFor()
  }),
  page('keys, columns and selection', '/keys', async (at, { keys, shared }) => {
    await at.getByRole('checkbox', { name: shared.table.selectRow('laptop') }).check()
    await at.getByRole('button', { name: shared.table.columns }).click()
    await at.getByRole('menuitemcheckbox', { name: keys.columns.limits }).click()
  }),
  page('keys, create', '/keys', async (at, { keys, shared }) => {
    await at.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = at.getByRole('dialog', { name: keys.form.title })
    await unfold(form, keys.form.moreSummary)
    await form.getByRole('switch', { name: keys.form.custom }).check()
    await eventually(() => fieldOf(form, keys.form.name).inputValue()).toMatch(/./)
    await fill(form, keys.form.name, '')
    await press(form, keys.form.submit)
    await reads(form, shared.required)
  }),
  page('keys, secret shown', '/keys', async (at, { keys }) => {
    await at.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = at.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'shown')
    await press(form, keys.form.submit)
    const shown = at.getByRole('dialog', { name: keys.secret.title('shown') })
    await shown.getByRole('radio', { name: 'Claude Code' }).waitFor()
  }),
  page('keys, card and leaving', '/keys', async (at, { keys, shared }) => {
    await at.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = at.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'card')
    await press(form, keys.form.submit)
    const shown = at.getByRole('dialog', { name: keys.secret.title('card') })
    await shown.getByRole('tab', { name: keys.secret.card }).click()
    await press(shown, shared.close)
    await question(at)
  }),
  page('keys, use', '/keys', async (at, { keys }) => {
    await at.getByRole('button', { name: keys.useOf('laptop') }).click()
    await at.getByRole('dialog').getByRole('radio', { name: 'Claude Code' }).waitFor()
  }),
  ofLaptop(
    'import',
    (keys) => keys.import,
    async (at, { keys }, { ada }) => {
      const drawer = at.getByRole('dialog')
      await fill(drawer, keys.setUp.secretEntry, ada.secret)
      await drawer.getByRole('button', { name: keys.importing.copyLink }).waitFor()
    },
  ),
  ofLaptop(
    'test',
    (keys) => keys.test,
    (at, { keys }) => reads(at.getByRole('dialog'), keys.testing.good(3)),
  ),
  ofLaptop(
    'edit',
    (keys) => keys.edit,
    (at, { keys }) => dialog(at, keys.form.editTitle('laptop')),
  ),
  ofLaptop(
    'rotate',
    (keys) => keys.rotate,
    (at, { keys }) => dialog(at, keys.rotation.title('laptop')),
  ),
  ofLaptop(
    'delete',
    (keys) => keys.delete,
    (at) => question(at),
  ),
]

const START: readonly View[] = [
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
  page('start, connected', '/start', (at, { start }) => at.getByRole('heading', { name: start.ready.title }).waitFor()),
  { ...page('start, first visit', '/start', (at, { start }) => reads(content(at), start.key.create)), as: 'new' },
  {
    ...page('start, leaving', '/start', async (at, { start, shared }) => {
      await press(at, start.key.create)
      await at.getByRole('radio', { name: 'curl', exact: true }).waitFor()
      await at.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
      await question(at)
    }),
    as: 'new',
  },
  {
    ...page('start, waiting and failing', '/start', async (at, { start, faults }, { place }) => {
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
]

const MONEY: readonly View[] = [
  page('usage', '/usage', (at, { usage }) => reads(at.getByRole('region', { name: usage.records }), 'laptop')),
  page('usage, filters and table', '/usage?split=key', async (at, { usage }) => {
    await press(at, usage.filters.title)
    const sums = at.getByRole('region', { name: usage.summary })
    await sums.getByRole('radio', { name: usage.asTable }).check()
    await sums.getByRole('table').waitFor()
  }),
  page('usage, a request', '/usage?model=demo%2Freasoner', async (at, { usage }) => {
    await at.getByRole('region', { name: usage.records }).getByRole('row').nth(2).getByRole('button').click()
    await reads(at.getByRole('dialog'), record.price)
  }),
  page('usage, a failed request', '/usage?fault=model_unknown', async (at, { usage, faults }) => {
    await at.getByRole('region', { name: usage.records }).getByRole('row').nth(1).getByRole('button').click()
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
]

const DIAGNOSE: readonly View[] = [
  page('playground, an answer', '/playground?model=demo%2Fecho', async (at, { playground }) => {
    await press(at, playground.send)
    await reads(content(at), playground.answerOf('demo/echo'))
    await at.getByRole('link', { name: playground.receipt }).waitFor()
  }),
  page('diagnose', '/diagnose', (at, { diagnose }) => reads(content(at), diagnose.testLead)),
  page('diagnose, an error', '/diagnose', async (at, { diagnose, faults }) => {
    await fill(at, diagnose.paste, 'http://localhost:1/v1/chat/completions sk-proj-abcdefghijklmnop1234')
    await press(at, diagnose.submit)
    await reads(content(at), faults.key_unknown.title)
  }),
]

const ofAdmins = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'admin' })

const ADMIN: readonly View[] = [
  ofAdmins('audit', '/admin/audit', (at) => at.getByText('account.create').first().waitFor()),
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
  ofAdmins('operations', '/admin', (at, { operations }) =>
    reads(at.getByRole('region', { name: operations.needs }), operations.items.model_unknown('demo/ecco')),
  ),
]

const ACCOUNT: readonly View[] = [
  page('account', '/account', (at, { account }) => reads(content(at), account.appearance.title)),
  page('account, security', '/account?section=security', (at, { account }) =>
    at.getByRole('button', { name: account.totp.turnOn }).waitFor(),
  ),
  page('account, two-step dialog', '/account?section=security', async (at, { account }) => {
    await press(at, account.totp.turnOn)
    await dialog(at, account.totp.dialogTitle)
  }),
  page('account, passkey dialog', '/account?section=security', async (at, { account }) => {
    await press(at, account.passkeys.add)
    await dialog(at, account.passkeys.nameTitle)
  }),
  page('account, access tokens', '/account?section=tokens', async (at, { account }) => {
    await press(at, account.tokens.create)
    await dialog(at, account.tokens.create)
  }),
  page('account, alerts', '/account?section=notifications', (at, { account }) =>
    reads(content(at), account.notifications.none),
  ),
  page('account menu', '/account', async (at, { shared }, { ada }) => {
    await at.getByRole('button', { name: shared.accountMenu(ada.email) }).click()
    await at.getByRole('menuitem', { name: shared.signOut }).waitFor()
  }),
  page('no such page', '/nowhere', (at, { shared }) =>
    at.getByRole('link', { name: shared.notFound.action }).waitFor(),
  ),
]

const SHELL: readonly View[] = [
  page('notifications', '/models', async (at, { shared, shell }) => {
    // The playground's key, which the view of it makes, is about to expire, too.
    const bell = new RegExp(shared.notifications(1).replace('1', String.raw`\d+`))
    await at.getByRole('button', { name: bell }).click()
    await reads(at.getByRole('dialog', { name: shell.notices.title }), 'laptop')
  }),
  page('help menu', '/models', async (at, { shared, shell }) => {
    await at.getByRole('heading', { level: 1 }).waitFor()
    await press(at, shared.help)
    await at.getByRole('menuitem', { name: shell.help.changes }).waitFor()
  }),
  page('command palette', '/models', async (at, { shell, shared }) => {
    await press(at, shared.search)
    await at.getByRole('combobox', { name: shell.palette.title }).waitFor()
    await at.getByRole('option', { name: shell.actions.signOut }).waitFor()
  }),
  page('command palette, keys and models', '/models', async (at, { shell, shared }) => {
    await press(at, shared.search)
    await at.getByRole('combobox', { name: shell.palette.title }).fill('o')
    await at.getByRole('group', { name: shell.palette.parts.keys }).getByRole('option', { name: 'laptop' }).waitFor()
    await at.getByRole('group', { name: shell.palette.parts.models }).getByRole('option').first().waitFor()
  }),
  page('command palette, an error', '/models', async (at, { shell, shared }) => {
    await press(at, shared.search)
    await at.getByRole('combobox', { name: shell.palette.title }).fill('sk-proj-abcdefghijklmnop1234')
    await at.getByRole('option', { name: shell.palette.diagnose }).waitFor()
  }),
  page('command palette, nothing', '/models', async (at, { shell, shared }) => {
    await press(at, shared.search)
    const field = at.getByRole('combobox', { name: shell.palette.title })
    await field.fill('qqqq zzzz')
    await at.getByRole('status').filter({ hasText: shell.palette.none }).waitFor({ state: 'attached' })
  }),
  page('keyboard shortcuts', '/models', async (at, { shell }) => {
    await at.getByRole('heading', { level: 1 }).waitFor()
    await at.keyboard.press('?')
    await dialog(at, shell.shortcuts.title)
  }),
]

const OUTSIDE: readonly View[] = [
  outside('sign-in', '/sign-in', async (at, { outside: t }) => {
    await at.getByRole('button', { name: t.signIn.passkey }).waitFor()
    await press(at, t.signIn.action)
  }),
  outside('second step', '/sign-in', async (at, { outside: t }, { place }) => {
    const grace = await place.person()
    const { body } = await grace.ask('POST', '/api/auth/totp/start')
    await grace.ask('POST', '/api/auth/totp/finish', { code: totpCode(body.secret) })
    await fill(at, t.email, grace.email)
    await fill(at, t.password, grace.password)
    await press(at, t.signIn.action)
    await arrives(at, t.secondStep.title)
  }),
  outside('register', '/register', (at, { outside: t }) => reads(content(at), t.register.closed)),
  outside(
    'set-up',
    async ({ place }) => place.setUpLink.slice(`${place.origin}/console`.length),
    (at, { outside: t }) => at.getByRole('button', { name: t.setUp.actionDemo, exact: true }).waitFor(),
  ),
  outside('set-up, half a link', '/set-up', (at, { outside: t }) => reads(content(at), t.linkMissing.title)),
  outside(
    'invitation',
    async ({ place }) => linkPath((await place.admin('POST', '/api/invitations', { email: null })).body.url),
    (at, { outside: t }) => at.getByRole('button', { name: t.invitation.action }).waitFor(),
  ),
  outside('forgotten password', '/reset-password', (at, { outside: t }) => arrives(at, t.reset.askTitle)),
  outside(
    'new password',
    async ({ place, ada }) => linkPath((await place.admin('POST', `/api/accounts/${ada.id}/reset-link`)).body.url),
    (at, { outside: t }) => at.getByRole('button', { name: t.reset.action }).waitFor(),
  ),
  outside('email address', '/verify-email#token=0123456789012345678901234', (at, { problems }) =>
    reads(content(at), problems.link_invalid),
  ),
]

/** Every page, and whatever opens on one. */
export const VIEWS = {
  start: START,
  keys: KEYS,
  money: MONEY,
  account: ACCOUNT,
  diagnose: DIAGNOSE,
  admin: ADMIN,
  shell: SHELL,
  outside: OUTSIDE,
} as const

function linkPath(link: string): string {
  const url = new URL(link)
  return url.pathname.slice('/console'.length) + url.hash
}
