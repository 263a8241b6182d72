import { content, press, reads } from '../reading.ts'
import { dialog, page, type View, type World } from './view.ts'

/** Made for one view: then they are withdrawn, and what shows them goes on. */
async function announce({ place: { admin } }: World, body: object): Promise<void> {
  await admin('POST', '/api/announcements', body)
}

export const SHELL: readonly View[] = [
  page(
    'announcements',
    async (world) => {
      const text = {
        en: 'The database moves to a larger machine. Requests are answered with 503 meanwhile; clients that try again need nothing else. Questions: https://status.example.test/maintenance/2026-11-a-rather-long-address-that-has-no-blank',
        'zh-CN':
          '数据库将迁移到更大的机器，期间请求会返回 503；支持重试的客户端无需改动。详情：https://status.example.test/maintenance/2026-11-a-rather-long-address-that-has-no-blank',
      }
      const title = { en: 'New database', 'zh-CN': '更换数据库' }
      const maintenance = { kind: 'maintenance', level: 'critical', title, text, ends_at: '2100-01-01T00:00:00Z' }
      const prices = { en: 'Prices of two models change on 1 December', 'zh-CN': '两个模型的价格将于 12 月 1 日调整' }
      const news = { en: 'A faster model', 'zh-CN': '更快的模型' }
      await announce(world, maintenance)
      await announce(world, { level: 'warning', title: prices, text: { en: 'See Models.', 'zh-CN': '详见模型页面。' } })
      await announce(world, { title: news })
      return '/overview'
    },
    async (at, { shell, language }, { place: { admin } }) => {
      await reads(content(at), shell.announcements.maintenance({ en: 'New database', 'zh-CN': '更换数据库' }[language]))
      await reads(content(at), { en: 'A faster model', 'zh-CN': '更快的模型' }[language])
      const { body } = await admin('GET', '/api/announcements?which=all')
      for (const { id } of body.data) await admin('DELETE', `/api/announcements/${id}`)
    },
  ),
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
