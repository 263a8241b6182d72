type Fields = Readonly<Record<string, unknown>>

/**
 * What a document in the form of models.dev or of LiteLLM says of prices and limits, in that form; null: it is in neither.
 * Nothing else of it is kept: an admin who names an address is not to read there what is not a list of prices.
 */
export function priceListIn(document: unknown): Fields | null {
  const entries = Object.entries(fieldsOf(document)).map(([name, value]) => [name, fieldsOf(value)] as const)
  if (entries.some(([, provider]) => 'models' in provider)) {
    return Object.fromEntries(entries.map(([id, { models }]) => [id, { models: modelsOfModelsDev(models) }]))
  }
  const models = entries.filter(([, model]) => 'input_cost_per_token' in model || 'litellm_provider' in model)
  return models.length === 0 ? null : Object.fromEntries(models.map(([name, model]) => [name, modelOfLitellm(model)]))
}

function modelsOfModelsDev(models: unknown): Fields {
  return Object.fromEntries(
    Object.entries(fieldsOf(models)).flatMap(([name, value]) => {
      const { cost, limit, tollgate } = fieldsOf(value)
      return cost === undefined ? [] : [[name, { cost, limit, tollgate }]]
    }),
  )
}

function modelOfLitellm(model: Fields): Fields {
  return Object.fromEntries(
    Object.entries(model).filter(([name, value]) => OF_LITELLM.test(name) && typeof value !== 'object'),
  )
}

const OF_LITELLM = /^(?:litellm_provider|max_(?:input|output)_tokens)$|_cost(?:$|_)/

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
