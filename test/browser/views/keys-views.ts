import type { Texts } from '../languages.ts'
import { content, eventually, field as fieldOf, fill, press, reads, unfold } from '../reading.ts'
import { dialog, page, question, type View } from './view.ts'

/** A view that is opened from the menu of the row of the key `laptop`. */
const ofLaptop = (name: string, item: (keys: Texts['keys']) => string, show: View['show']): View =>
  page(`keys, ${name}`, '/keys', async (at, texts, world) => {
    await at.getByRole('button', { name: texts.keys.actionsOf('laptop'), exact: true }).click()
    await at.getByRole('menuitem', { name: item(texts.keys), exact: true }).click()
    await show(at, texts, world)
  })

export const KEYS: readonly View[] = [
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
    await at.getByRole('button', { name: shared.table.menu }).click()
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
  page('keys, file and leaving', '/keys', async (at, { keys, shared }) => {
    await at.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = at.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'file')
    await press(form, keys.form.submit)
    const shown = at.getByRole('dialog', { name: keys.secret.title('file') })
    await shown.getByRole('tab', { name: keys.secret.environment }).click()
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
    (at, { keys }) => reads(content(at), keys.testing.good(3)),
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
