import { listOf, objectOf, stringOf } from './json.ts'
import { readWholeNumber } from './question.ts'
import { Refusal } from './refusal.ts'
import { countTokens } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer } from './wire-answer.ts'

/** `POST /rerank`: a document scores by the share of the query's words that it has. */
export function answerRerank(call: WireCall): WireAnswer {
  const { body } = call
  const query = stringOf(body['query'])
  const documents = listOf(body['documents']).map((each) => stringOf(each) || stringOf(objectOf(each)['text']))
  if (query === '') throw new Refusal('query is missing: it takes a text.', { param: 'query' })
  if (documents.length === 0 || documents.length > DOCUMENTS_LIMIT) {
    throw new Refusal(`documents takes a list of 1 to ${DOCUMENTS_LIMIT} texts.`, { param: 'documents' })
  }
  const words = wordsIn(query)
  const wantsDocuments = body['return_documents'] === true
  const ranked = documents
    .map((text, index) => ({
      index,
      relevance_score: score(words, text),
      ...(wantsDocuments ? { document: { text } } : {}),
    }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score || one.index - other.index)
  const wanted = readWholeNumber(body['top_n'], 'top_n', { usual: ranked.length })
  const tokens = [query, ...documents].reduce((sum, text) => sum + countTokens(text), 0)
  return jsonAnswer({
    id: `rerank-${call.serial}`,
    model: body['model'],
    results: ranked.slice(0, wanted),
    usage: { total_tokens: tokens },
  })
}

const DOCUMENTS_LIMIT = 1_000

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

function score(words: ReadonlySet<string>, document: string): number {
  const found = wordsIn(document)
  return words.size === 0 ? 0 : [...words].filter((word) => found.has(word)).length / words.size
}
