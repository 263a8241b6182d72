import { diagnosis, diagnosisAsked } from '../../contract/diagnosis.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { diagnose } from '../explain/diagnose.ts'

const route = routesOf('Usage')

const ask = route('post /api/diagnose', {
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

export const diagnosisRoutes: readonly ApiRoute[] = [ask]
