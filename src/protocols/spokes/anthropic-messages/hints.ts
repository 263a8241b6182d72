import type { Hints } from '../../hub/notes.ts'

const CITATIONS = 'asks for citations beside the text, or repeats them; the text itself stays'
const SERVER_TOOL = 'a step of a tool that ran at the provider of an earlier answer; what came of it stands in the text'

/** What may be dropped of a request of this wire when it goes to another, and why that is harmless. */
export const HINTS: Hints = {
  anthropic_beta: 'names features of the wire that is left',
  anthropic_version: 'names a version of the wire that is left',
  cache_control: 'other providers cache by themselves',
  container: 'names a sandbox of tools that run at the provider',
  context_management: 'lets the provider shorten the conversation; it goes whole',
  diagnostics: 'asks why a cache was missed',
  fallback_credit_token: 'a rebate on a later request to the same provider',
  fallbacks: 'names models to try after a refusal',
  safeguards: 'sets filters of the provider that is left',
  speed: 'asks for faster output at a higher price',
  'messages[].clear_at': 'says when a message is no longer shown; one whose time is over is not sent',
  'messages[].content[].advisor_tool_result': SERVER_TOOL,
  'messages[].content[].bash_code_execution_tool_result': SERVER_TOOL,
  'messages[].content[].caller': 'tells who called the tool',
  'messages[].content[].citations': CITATIONS,
  'messages[].content[].code_execution_tool_result': SERVER_TOOL,
  'messages[].content[].content[].citations': CITATIONS,
  'messages[].content[].content[].transformations': 'says how a large picture is made smaller',
  'messages[].content[].fallback': 'tells that another model went on from here',
  'messages[].content[].mcp_tool_listing': SERVER_TOOL,
  'messages[].content[].mcp_tool_result': SERVER_TOOL,
  'messages[].content[].mcp_tool_use': SERVER_TOOL,
  'messages[].content[].server_tool_use': SERVER_TOOL,
  'messages[].content[].text_editor_code_execution_tool_result': SERVER_TOOL,
  'messages[].content[].tool_search_tool_result': SERVER_TOOL,
  'messages[].content[].transformations': 'says how a large picture is made smaller',
  'messages[].content[].web_fetch_tool_result': SERVER_TOOL,
  'messages[].content[].web_search_tool_result': SERVER_TOOL,
  'messages[].output_config': 'sets the effort of single turns; that of the request is carried',
  'output_config.effort': 'dropped where thinking is switched off',
  'output_config.task_budget': 'tells the model how many tokens its whole task may take',
  'system[].citations': CITATIONS,
  'system[].x-anthropic-billing-header':
    'a line of Claude Code for the provider’s accounts, which would spoil other caches',
  'thinking.block_binding': 'says what becomes of thinking that was moved',
  'thinking.type': '`between_tools` becomes thinking at a low effort',
  'tools[].allowed_callers': 'says whether code at the provider may call the tool',
  'tools[].defer_loading': 'keeps the tool out of the prompt until it is searched for; it is there from the start',
  'tools[].eager_input_streaming': 'says how the input of calls is streamed',
  'tools[].input_examples': 'examples beside the schema',
  'tools[].strict': 'dropped where the schema has optional fields, which strict tools of others cannot have',
}
