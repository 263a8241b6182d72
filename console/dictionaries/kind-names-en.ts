/** Tokens of each kind, as a price is for a million of them. */
export const tokenNamesEn = {
  input: 'Input',
  output: 'Output',
  cache_read: 'Cached input',
  cache_write: 'Cache write',
  cache_write_1h: 'Cache write (1 hour)',
  reasoning_output: 'Reasoning',
  audio_input: 'Audio input',
  audio_output: 'Audio output',
  image_input: 'Image input',
}

/** Calls of a provider’s own tools, as a price is for one of them. */
export const callNamesEn = {
  web_search: 'Web search',
  web_fetch: 'Web fetch',
  file_search: 'File search',
  code_interpreter: 'Code interpreter',
  image_generation: 'Image generation',
  grounded_prompt: 'Grounded prompt',
  maps_grounding: 'Maps grounding',
  x_search: 'X search',
  document_search: 'Document search',
  file_parsing: 'File parsing',
  other_tool: 'Other tool',
}
