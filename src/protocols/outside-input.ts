/** Whether a request brings in what is not in its bytes: earlier answers, files, cached content, pictures by their URL. */
export function refersElsewhere(body: Buffer): boolean {
  return REFERENCES.some((name) => body.includes(name))
}

/** Whether a request lets the upstream call the model again and again, which then reports the sum of its input. */
export function loopsUpstream(body: Buffer): boolean {
  return UPSTREAM_LOOPS.some((name) => body.includes(name))
}

/** Fields by which a request brings in what is not in its bytes. */
const REFERENCES = [
  '"previous_response_id"',
  '"conversation"',
  '"file_id"',
  '"url"',
  '"image_url"',
  '"file_url"',
  '"fileUri"',
  '"file_uri"',
  '"cachedContent"',
  '"cached_content"',
  '"container"',
  '"pmpt_',
]

/** Tools that the upstream runs by itself (searches bring in pages, too) and compaction; beginnings, as Anthropic's end in a date. */
const UPSTREAM_LOOPS = [
  '"web_search',
  '"web_fetch',
  '"code_execution',
  '"code_interpreter',
  '"file_search',
  '"tool_search',
  '"mcp',
  '"x_search',
  '"search_parameters"',
  '"enable_search"',
  '"googleSearch',
  '"google_search',
  '"urlContext"',
  '"url_context"',
  '"codeExecution"',
  '"plugins"',
  '"compact_',
]
