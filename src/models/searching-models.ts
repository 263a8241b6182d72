/**
 * Names, in lower case, of models whose providers charge for a search with every request, whatever it asks for: OpenAI's search
 * models ("Web search", read 2026-11) and what OpenRouter serves by the suffix `:online` ("Web search", read 2026-11).
 */
export const SEARCHING_MODELS = /(?:^|[^a-z0-9])gpt-[\w.-]*search-(?:preview|api)|:online$/
