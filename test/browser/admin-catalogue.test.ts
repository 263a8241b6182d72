import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import {
  arrives,
  chooseFrom,
  content,
  eventually,
  field,
  fill,
  hears,
  press,
  reads,
  readsNoMore,
  take,
  unfold,
} from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'
import { refusing, scriptedUpstream } from '../support/scripted-upstream.ts'

// What is sold, to whom and at what price, as an admin sets it.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'a group is edited with the effect said before, duplicated, and deleted after its keys were moved, in $language',
  async ({ language, groups: t, shared }) => {
    const ada = await place.person({ balance: '5' })
    const name = `vip-${language}`
    const other = `other-${language}`
    const { body: group } = await root.ask('POST', '/api/groups', { name, multiplier: '1' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: name })
    expect((await place.call(made.secret)).status).toBe(200)
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/groups')
    await arrives(page, t.title)

    const actions = t.actionsOf(name)
    const choose = async (action: string): Promise<void> => {
      await press(page, actions)
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose(t.duplicate)
    const copy = page.getByRole('dialog', { name: t.new })
    await eventually(() => field(copy, t.form.name).inputValue()).toBe(t.copyName(name))
    await fill(copy, t.form.name, other)
    await fill(copy, t.form.multiplier, 'half')
    await press(copy, t.form.create)
    await reads(copy, t.form.multiplierForm)
    await fill(copy, t.form.multiplier, '0.5')
    await press(copy, t.form.create)
    await copy.waitFor({ state: 'detached' })

    await page.getByRole('button', { name, exact: true }).click()
    const form = page.getByRole('dialog', { name: t.form.editTitle(name) })
    const one = { count: 1, shown: '1' }
    await fill(form, t.form.multiplier, '0.2')
    await reads(form, t.effect.users(one, one))
    await eventually(() => page.getByRole('status').filter({ hasText: t.effect.title }).innerText()).toMatch(
      /−\u2060\$0\.0/,
    )
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) }), '×0.2')

    await choose(t.delete)
    const deleting = page.getByRole('alertdialog', { name: t.deleting.title(name) })
    await reads(deleting, t.effect.users(one, one))
    await field(deleting, t.deleting.whereTo).selectOption({ label: `${other} · ×0.5` })
    await press(deleting, t.deleting.actionMoving)
    await deleting.waitFor({ state: 'detached' })
    await readsNoMore(content(page), name)
    expect((await ada.ask('GET', `/api/keys/${made.key.id}`)).body).toMatchObject({ group: other })
    const { body: audit } = await root.ask('GET', `/api/audit?subject=${group.id}`)
    expect(audit.data.map(({ action }: { action: string }) => action)).toEqual([
      'group.delete',
      'group.update',
      'group.create',
    ])
  },
)

test.each(walkedIn('en'))(
  'a price is edited, worked out for a long request before it is saved, and found in its history, in $language',
  async ({ language, prices: t, models, record, shared }) => {
    const name = `priced-${language}`
    const { body: model } = await root.ask('POST', '/api/models', { name, price: { input: '2', output: '8' } })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/models')
    await page.getByRole('searchbox', { name: t.search }).fill(name)
    await page.getByRole('button', { name: new RegExp(name) }).click()
    await arrives(page, name)
    const editor = page.getByRole('form', { name: t.editor.title })
    await editor.getByLabel(models.kinds.input, { exact: true }).first().fill('two')
    await press(editor, t.editor.add)
    await page.getByRole('menuitem', { name: t.editor.parts.tiers }).click()
    await fill(editor, t.editor.above, '200000')
    const receipt = page.getByRole('group').filter({ hasText: t.calculator.title })
    await unfold(content(page), t.calculator.title)
    await reads(receipt, t.calculator.wrong)
    await press(editor, t.editor.save)
    await reads(editor, t.editor.amountForm)
    await editor.getByLabel(models.kinds.input, { exact: true }).first().fill('3')
    await editor.getByLabel(models.kinds.input, { exact: true }).last().fill('4')
    await editor.getByLabel(models.kinds.output, { exact: true }).last().fill('9')
    // 300,000 tokens read and 2,000 written, both at the prices of long prompts.
    await reads(receipt, '$1.218')
    await reads(receipt, record.aboveInputTokens('200,000'))
    await reads(editor, t.effect.noUse)
    await press(editor, t.editor.save)
    await reads(
      page.getByRole('region', { name: t.history.title }),
      t.history.change(models.kinds.input, '$2.00', '$3.00'),
    )
    expect((await root.ask('GET', `/api/models/${model.id}`)).body.price).toMatchObject({
      input: '3',
      output: '8',
      tiers: [{ above_input_tokens: 200_000, input: '4', output: '9' }],
    })
    await press(page, t.history.takeBack)
    await hears(page, t.history.inForm)
    await eventually(() => editor.getByLabel(models.kinds.input, { exact: true }).inputValue()).toBe('2')
    await press(editor, t.editor.save)
    await eventually(async () => (await root.ask('GET', `/api/models/${model.id}`)).body.price).toMatchObject({
      input: '2',
      output: '8',
    })
    // Once the form is as it was, the page has what was saved.
    await editor.getByRole('button', { name: t.editor.reset }).waitFor({ state: 'detached' })
    await chooseFrom(page, shared.moreActions, t.recommend)
    await eventually(async () => (await root.ask('GET', `/api/models/${model.id}`)).body.recommended).toBe(true)
    // The page has it too: what is typed from here on is not of an older version.
    await press(page, shared.moreActions)
    await page.getByRole('menuitem', { name: t.unrecommend }).waitFor()
    await page.keyboard.press('Escape')
    // Five times as much by a slip of the hand is asked about, with what it comes to.
    await editor.getByLabel(models.kinds.input, { exact: true }).first().fill('10')
    await reads(editor, t.effect.far)
    await press(editor, t.editor.save)
    const question = page.getByRole('alertdialog', { name: t.effect.confirm(name) })
    await reads(question, t.history.change(models.kinds.input, '$2.00', '$10.00'))
    await press(question, shared.cancel)
    await question.waitFor({ state: 'detached' })
    expect((await root.ask('GET', `/api/models/${model.id}`)).body.price.input).toBe('2')
    // The same for a time to come, which can be taken away until then.
    await editor.getByLabel(models.kinds.input, { exact: true }).first().fill('5')
    await editor.getByRole('checkbox', { name: t.planning.later }).check()
    await fill(editor, t.planning.at, '')
    await press(editor, t.planning.save)
    await reads(editor, t.planning.inFuture)
    await fill(editor, t.planning.at, `${new Date().getUTCFullYear() + 1}-01-01T00:00`)
    const scheduled = async () => (await root.ask('GET', `/api/models/${model.id}`)).body.scheduled
    await press(editor, t.planning.save)
    await hears(page, t.planning.saved(name))
    await reads(content(page), t.history.change(models.kinds.input, '$2.00', '$5.00'))
    expect(await scheduled()).toMatchObject({ price: { input: '5' } })
    await press(page, t.planning.cancel)
    await eventually(scheduled).toBeNull()
    await page.getByRole('button', { name: t.planning.cancel }).waitFor({ state: 'detached' })
  },
)

test.each(LANGUAGES)(
  'what a target was seen to refuse stands on the model’s page, and one press leaves it out for good, in $language',
  async ({ language, prices: t }) => {
    const ada = await place.person({ balance: '5' })
    const name = `refusing-${language}`
    const message = `Unsupported parameter: 'temperature' is not supported with this model.`
    const upstream = await scriptedUpstream(refusing('temperature', message))
    onTestFinished(() => upstream.close())
    const base_url = `http://127.0.0.1:${upstream.port}/v1`
    await root.ask('POST', '/api/upstreams', { name, protocol: 'openai-chat', base_url, credential: null })
    const targets = [{ upstream: name, model: 'm' }]
    const { body: model } = await root.ask('POST', '/api/models', { name, price: { input: '1', output: '1' }, targets })
    const { body: key } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const messages = [{ role: 'user', content: 'Hello' }]
    const asked = { model: name, max_tokens: 9, temperature: 0.5, messages }
    expect((await place.call(key.secret, asked, '/v1/messages')).status).toBe(200)
    const read = async () => (await root.ask('GET', `/api/models/${model.id}`)).body
    await eventually(async () => (await read()).learned).toMatchObject([
      { upstream: name, model: 'm', setting: 'temperature', value: null, said: message },
    ])
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/models/${model.id}`)
    await arrives(page, name)
    const learned = page.getByRole('list', { name: t.targets.learned.title(name) })
    await reads(learned, t.targets.learned.leavesOut('temperature'))
    await reads(learned, message)
    await press(learned, t.targets.learned.keep('temperature'))
    await learned.waitFor({ state: 'detached' })
    await reads(page.getByRole('region', { name: t.targets.title, exact: true }), t.targets.leavesOut('temperature'))
    const { learned: left, targets: now } = await read()
    expect([left, now[0].drop_fields]).toEqual([[], ['temperature']])
    expect((await place.call(key.secret, asked, '/v1/messages')).status).toBe(200)
    expect(upstream.asked).toBe(3)
  },
)

longTest('an edit of one press that meets another admin’s shows both versions, of models and groups', async () => {
  const [{ language, prices: p, groups: g, shared }] = LANGUAGES
  const { body: model } = await root.ask('POST', '/api/models', { name: 'both', price: { input: '2', output: '8' } })
  const { body: group } = await root.ask('POST', '/api/groups', { name: 'both', multiplier: '1' })
  const { page, open } = await visit(place, { language, as: root })
  const both = page.getByRole('dialog', { name: shared.collision.title })
  await open(`/admin/models/${model.id}`)
  await page.getByRole('button', { name: p.lock }).waitFor()
  await root.ask('PATCH', `/api/models/${model.id}`, { recommended: true })
  await press(page, p.lock)
  await reads(both.getByRole('row', { name: p.states.locked }), shared.yes)
  await press(both, shared.collision.keepMine)
  await page.getByRole('button', { name: p.unlock }).waitFor()
  expect((await root.ask('GET', `/api/models/${model.id}`)).body).toMatchObject({
    recommended: true,
    price_locked: true,
  })

  await open(`/admin/groups?disable=${group.id}`)
  const asking = page.getByRole('alertdialog', { name: g.disabling.title('both') })
  await asking.waitFor()
  await root.ask('PATCH', `/api/groups/${group.id}`, { multiplier: '3' })
  await press(asking, g.disable)
  await reads(both.getByRole('row', { name: g.form.enabled }), shared.no)
  await press(both, shared.collision.keepMine)
  // Behind the two versions the question has no role, so that it is gone does not say that it was saved.
  await eventually(async () => (await root.ask('GET', `/api/groups/${group.id}`)).body).toMatchObject({
    enabled: false,
    multiplier: '3',
  })
  await asking.waitFor({ state: 'detached' })
})

longTest.each(walkedIn('zh-CN'))(
  'a plan is created, assigned, renewed and cancelled, and codes for it are shown once, in $language',
  async ({ language, plans: t }) => {
    const ada = await place.person()
    const name = `plan-${language}`
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/plans?new=plan')
    const form = page.getByRole('dialog', { name: t.new })
    await fill(form, t.form.name, name)
    await fill(form, t.form.price, '20')
    await unfold(form, t.form.more)
    await fill(form, t.windows['5h'], '5')
    await press(form, t.form.create)
    await reads(form, t.form.noGroups)
    await field(form, t.form.groups).fill('default')
    await page.getByRole('option', { name: 'default', exact: true }).click()
    await press(form, t.form.create)
    await form.waitFor({ state: 'detached' })

    await press(page, t.actionsOf(name))
    await page.getByRole('menuitem', { name: t.assign, exact: true }).click()
    const assigning = page.getByRole('dialog', { name: t.assigning.title(name) })
    await press(assigning, t.assigning.action)
    await reads(assigning, t.assigning.choose)
    await take(page, assigning.getByRole('combobox', { name: t.assigning.account }), ada.email)
    await press(assigning, t.assigning.action)
    await assigning.waitFor({ state: 'detached' })
    expect((await ada.ask('GET', '/api/subscriptions')).body.data).toMatchObject([{ plan: name, status: 'running' }])

    await press(page, t.codes.new)
    const codes = page.getByRole('dialog', { name: t.codes.new })
    await codes.getByRole('radio', { name: t.codes.kindPlan }).check()
    await field(codes, t.codes.choosePlan).selectOption(name)
    await fill(codes, t.codes.count, '2')
    await press(codes, t.codes.new)
    const shown = page.getByRole('dialog', { name: t.codes.shownTitle(2) })
    await reads(shown, /([2-9A-Z]{4}-){4}[2-9A-Z]{4}\s+([2-9A-Z]{4}-){4}/)
    await press(shown, t.codes.done)
    const leaving = page.getByRole('alertdialog', { name: t.codes.leaveTitle })
    await press(leaving, t.codes.stay)
    await shown.getByRole('checkbox', { name: t.codes.kept }).check()
    await press(shown, t.codes.done)
    await shown.waitFor({ state: 'detached' })
    await reads(page.getByRole('region', { name: t.codes.title, exact: true }), t.codes.used('0', '2'))

    await open(`/admin/accounts/${ada.id}?tab=subscriptions`)
    const subscriptions = page.getByRole('region', { name: t.subscriptions.title })
    const endsAt = async (): Promise<string> => (await ada.ask('GET', '/api/subscriptions')).body.data[0].ends_at
    const before = await endsAt()
    await press(subscriptions, `${t.subscriptions.renew} ${name}`)
    await eventually(endsAt).not.toBe(before)
    await press(subscriptions, `${t.subscriptions.cancel} ${name}`)
    await press(page.getByRole('alertdialog'), t.subscriptions.cancel)
    await reads(subscriptions, t.subscriptions.statuses.cancelled)
  },
)

longTest.each(walkedIn('en'))(
  'requests of all accounts are grouped, narrowed by a click and seen as they end, in $language',
  async ({ language, requests: t, shared }) => {
    const ada = await place.person({ balance: '5' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: `explored-${language}`, group: 'default' })
    expect((await place.call(made.secret)).status).toBe(200)
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/requests?by=account&days=1')
    await page.getByRole('button', { name: t.filter(ada.email) }).click()
    const sums = page.getByRole('region', { name: t.title, exact: true })
    await reads(sums, 'demo/echo')
    await readsNoMore(sums, ada.email)
    await eventually(() => page.url()).toContain(`account=${ada.id}`)
    await field(page, t.and).selectOption('group')
    await reads(sums, 'default')
    const live = page.getByRole('region', { name: t.live.title })
    await reads(live, `explored-${language}`)
    await reads(live, ada.email)
    // What was asked, in which order, and why.
    const ended = live.getByRole('row').filter({ hasText: `explored-${language}` })
    await ended.getByRole('button').first().click()
    await page.getByRole('dialog', { name: 'demo/echo' }).waitFor()
    await page.keyboard.press('Escape')
    await press(live, t.live.pause)
    await press(page, t.removeFilter(shared.labelled(t.dimensions.account, ada.id)))
    await eventually(() => page.url()).not.toContain('account=')
    await open('/admin/requests?by=model&days=1&upstream=demo')
    await reads(live, `explored-${language}`)
    await open('/admin/requests?by=model&days=1&upstream=another')
    await reads(live, t.live.empty)
  },
)
