import type { Hints } from '../../hub/notes.ts'

const FILTERS = 'sets filters of the provider that is left'
const OF_GOOGLE = 'tunes how Google serves the request'

/** What may be dropped of a request of this wire when it goes to another, and why that is harmless. */
export const HINTS: Hints = {
  labels: 'names for Google’s bill',
  modelArmorConfig: FILTERS,
  safetySettings: FILTERS,
  store: 'says whether Google keeps a log of the request',
  'contents[].parts[].mediaProcessing': 'says how closely a video is looked at',
  'contents[].parts[].partMetadata': 'notes of the client for itself',
  'contents[].parts[].functionResponse.scheduling': 'says when a model that talks on receives the result',
  'contents[].parts[].functionResponse.parts[].mediaProcessing': 'says how closely a video is looked at',
  'contents[].parts[].thoughtSignature': 'on what a user or a tool says it means nothing',
  'contents[].parts[].videoMetadata': 'belongs to a video',
  'generationConfig.enableEnhancedCivicAnswers': OF_GOOGLE,
  'generationConfig.mediaResolution': 'says how finely pictures are looked at; other providers decide by themselves',
  'generationConfig.modelSelectionConfig': OF_GOOGLE,
  'generationConfig.routingConfig': OF_GOOGLE,
  'generationConfig.topK': '64 is what Gemini does by itself, and other providers have their own',
  'generationConfig.topP': '0.95 is what Gemini does by itself, and other providers have their own',
  'toolConfig.functionCallingConfig.mode': '`VALIDATED` becomes `AUTO`: calls may stray from their schema',
  'toolConfig.functionCallingConfig.streamFunctionCallArguments': 'says how the arguments of calls are streamed',
  'toolConfig.includeServerSideToolInvocations': 'asks what tools did that run at Google',
  'toolConfig.retrievalConfig': 'tells a search at Google where the user is',
  'tools[].functionDeclarations[].response': 'describes what the function answers',
  'tools[].functionDeclarations[].responseJsonSchema': 'describes what the function answers',
}
