import { press, reads } from '../reading.ts'
import { dialog, type View } from './view.ts'

const ofAdmins = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'admin' })

export const ADMIN: readonly View[] = [
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
