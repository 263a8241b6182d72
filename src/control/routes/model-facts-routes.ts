import { modelFacts } from '../../contract/model-facts.ts'
import { notFound } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readCatalogue } from '../catalogue.ts'
import { modelFactsView } from '../views/model-facts-view.ts'

const route = routesOf('Catalogue')

const readFacts = route('get /api/models/{id}/facts', {
  summary: 'Read what a model takes at each of its targets',
  description:
    'Every fact that the gateway goes by when it writes requests for the model: the value that this version has for it with its source, the rules of the model and the target, and which of these is in force. Rules are set by `rules` of the model and of its targets.',
  who: 'staff',
  answer: modelFacts,
  async handle(call, { store }) {
    const catalogue = await readCatalogue(store)
    const found = catalogue.models.find(({ id }) => id === call.params.id)
    if (found === undefined) throw notFound('model')
    return modelFactsView(found, catalogue)
  },
})

export const modelFactsRoutes: readonly ApiRoute[] = [readFacts]
