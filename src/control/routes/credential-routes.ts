import { credentialState, credentialStatePatch } from '../../contract/upstreams.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { upstreamOf } from '../catalogue.ts'
import { existing, notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { credentialNote } from '../audit/catalogue-notes.ts'
import { markedSettings, statesOf } from '../models/credential-states.ts'

const route = routesOf('Catalogue')

const listCredentials = route('get /api/upstreams/{id}/credentials', {
  summary: 'List how the credentials of an upstream stand',
  description:
    'As the node that answers sees them: which are held or disabled is known to all nodes, what rests and how much is under way to each by itself. No route returns a secret.',
  who: 'staff',
  answer: pageOf(credentialState),
  async handle(call, { store, credentialsNow }) {
    const upstream = await upstreamOf(call.params.id, store)
    const stored = await store.catalog.credentialStates()
    return { data: statesOf(upstream, { credentialsNow, stored }), next_cursor: null }
  },
})

const changeCredential = route('patch /api/upstreams/{id}/credentials/{name}', {
  summary: 'Disable, enable or release a credential of an upstream',
  description:
    'Returns when all nodes follow. A disabled one stays so until it is enabled here, also where the declarative file manages its upstream, and with another secret under its name. With held: false one that the provider refused is asked again at once.',
  who: 'catalogue',
  body: credentialStatePatch,
  answer: credentialState,
  async handle(call, { store, credentialsNow }) {
    const { id, name } = call.params
    const upstream = await upstreamOf(id, store)
    if (!upstream.credentials.some((credential) => credential.name === name)) throw notFound('credential')
    const { disabled: isDisabled, held } = call.body
    const changed = await call.change(async ({ catalog }, audit) => {
      const made = await catalog.changeCredential({ upstreamId: id, name, isDisabled, isReleased: held === false })
      call.requireVersion({ before: markedSettings(made.before), after: markedSettings(made.after) })
      await audit(credentialNote(made))
      return made
    })
    await call.reachNodes(changed)
    const [state] = statesOf(
      { ...upstream, credentials: upstream.credentials.filter((each) => each.name === name) },
      { credentialsNow, stored: [changed.after] },
    )
    return existing(state, 'credential')
  },
})

export const credentialRoutes: readonly ApiRoute[] = [
  listCredentials,
  ...listFiles(listCredentials, { name: 'credentials' }),
  changeCredential,
]
