/** What a base URL says before publishers and endpoints: `projects/p/locations/l`; null for express mode, which has neither. */
export function projectOf(baseUrl: string): string | null {
  return /\/(projects\/[^/]+\/locations\/[^/]+)$/.exec(baseUrl)?.[1] ?? null
}

/**
 * The path of a model below the base URL. A name is taken as js-genai takes it (`tModel`): alone, behind its publisher, or
 * as a resource; a tuned or deployed model is an endpoint, whose id is a number. The project of a resource is written in two
 * ways, by its id and by its number, so the one of the base URL stands for it.
 */
export function resourcePath(model: string, publisher: 'google' | 'anthropic', project: string | null): string {
  const name = project === null ? model : model.replace(/^projects\/[^/]+\/locations\/[^/]+\//, '')
  return `/${resourceOf(name, publisher).split('/').map(segment).join('/')}`
}

function resourceOf(name: string, publisher: string): string {
  if (/^(?:projects|publishers|endpoints)\//.test(name)) return name
  if (/^\d{6,}$/.test(name)) return `endpoints/${name}`
  const parts = /^([^/]+)\/([^/]+)$/.exec(name)
  if (parts === null || parts[1] === 'models') return `publishers/${publisher}/models/${parts?.[2] ?? name}`
  return `publishers/${parts[1]}/models/${parts[2]}`
}

/** The name of a model alone, without publisher and project. */
export function bareName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1)
}

/** Versions of Claude stand behind an `@`, which the vendors' programs leave as it is. */
function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('%40', '@')
}
