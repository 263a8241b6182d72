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

export type CallNames = typeof callNamesEn
