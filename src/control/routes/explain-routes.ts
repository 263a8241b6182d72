import { routeAnswer, routeQuery } from '../../contract/route.ts'
import { answerRoute } from '../explain/explain-route.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { diagnosis, diagnosisAsked } from '../../contract/diagnosis.ts'
import { diagnose } from '../explain/diagnose.ts'

const route = routesOf('Keys')
const usageRoute = routesOf('Usage')

const explain = route('get /api/route', {
  summary: 'Explain where a request would go, without sending it',
  description:
    'The group, the price and every target of the model in the order in which they would be asked, each with why it would be taken or skipped, and the group of the key that it would be charged in: by the code that chooses for requests, as the node that answers sees its upstreams now. What depends on the body of a request is left out, and among equals chance decides. Upstreams have their names for admins alone.',
  who: 'account',
  query: routeQuery,
  answer: routeAnswer,
  handle: (call, parts) => answerRoute(call.query, call, parts),
})

const ask = usageRoute('post /api/diagnose', {
  summary: 'Find out why a request failed',
  description:
    'From a request ID, a key (its id, or the last four characters of its secret), a model and a protocol, or any of them: the record, the key, and what such a request would meet now. Nothing is sent, and no secret is taken: what is wrong with the characters of a key or with a base URL, the console and `tollgate doctor` see without a server.',
  who: 'account',
  limits: { isReadOnly: true },
  body: diagnosisAsked,
  answer: diagnosis,
  problems: ['account_needed'],
  example: { body: { key: 'Z2Nz', model: 'gpt-5.5', protocol: 'openai-chat' } },
  handle: (call, parts) => diagnose(call.body, call, parts),
})

export const explainRoutes: readonly ApiRoute[] = [explain, ask]
