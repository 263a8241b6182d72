import { routeAnswer, routeQuery } from '../../contract/route.ts'
import { answerRoute } from '../explain/explain-route.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'

const route = routesOf('Keys')

const explain = route('get /api/route', {
  summary: 'Explain where a request would go, without sending it',
  description:
    'The group, the price and every target of the model in the order in which they would be asked, each with why it would be taken or skipped, and the group of the key that it would be charged in: by the code that chooses for requests, as the node that answers sees its upstreams now. What depends on the body of a request is left out, and among equals chance decides. Upstreams have their names for admins alone.',
  who: 'account',
  query: routeQuery,
  answer: routeAnswer,
  handle: (call, parts) => answerRoute(call.query, call, parts),
})

export const explainRoutes: readonly ApiRoute[] = [explain]
