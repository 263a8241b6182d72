import { CALLED, CALLED_BY_NAME, chat, chatOf, chunk, delta, DONE, HALF, ROLE, USAGE, ZEROS } from './chat-pieces.ts'
import { CHAT_STREAMS } from './chat-streams.ts'
import { CHAT_WHOLE } from './chat-whole.ts'
import { answersOf, type TriedAnswers } from './failed-answer.ts'

export const chatAnswers: TriedAnswers = {
  failed: [...answersOf('openai-chat', false, CHAT_WHOLE), ...answersOf('openai-chat', true, CHAT_STREAMS)],
  failedWhereTranslated: [
    ...answersOf('openai-chat', true, [
      ['a call and no word for its end', CALLED + DONE, 'NousResearch/hermes-agent#42314'],
      ['the name of a call and no word for its end', CALLED_BY_NAME + DONE, 'NousResearch/hermes-agent#80623'],
    ]),
  ],
  good: [
    ...answersOf('openai-chat', false, [
      ['finish_reason eos', chatOf({ finish_reason: 'eos' }), 'BerriAI/litellm#22138'],
      ['finish_reason eos_token', chatOf({ finish_reason: 'eos_token' }), 'BerriAI/litellm#22138'],
      ['finish_reason end_turn', chatOf({ finish_reason: 'end_turn' }), 'zeitlings/ayai-gpt-nexus#2'],
      ['finish_reason COMPLETE', chatOf({ finish_reason: 'COMPLETE' }), 'BerriAI/litellm#22138'],
      ['finish_reason STOP', chatOf({ finish_reason: 'STOP' }), 'BerriAI/litellm#22138'],
      ['no finish_reason', chatOf({}), 'ENTERPILOT/GoModel#866'],
      [
        'an empty error',
        chat({
          error: {},
          choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
        }),
        'MiniMax-AI/MiniMax-M2.5#2',
      ],
      [
        'base_resp 0',
        chat({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
          base_resp: { status_code: 0, status_msg: '' },
        }),
        'MiniMax-AI/MiniMax-M2.5#2',
      ],
      ['counts of 0 beside a text', chatOf({ finish_reason: 'stop' }, ZEROS), 'mudler/LocalAI#1886'],
      [
        'words about errors in its text',
        chatOf({
          message: { role: 'assistant', content: '{"finish_reason":"error","error":{"code":1}}' },
          finish_reason: 'stop',
        }),
        'QuantumNous/new-api#5289',
      ],
      [
        'nothing but reasoning',
        chatOf({ message: { role: 'assistant', content: '', reasoning_content: 'Hm' }, finish_reason: 'length' }, null),
        'rohitg00/agentmemory#240',
      ],
      [
        'a text that was withheld',
        chatOf({ message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }, null),
        'CherryHQ/cherry-studio#16079',
      ],
      ['repetition', chatOf({ finish_reason: 'repetition' }), 'vllm-project/vllm#57082'],
    ]),
    ...answersOf('openai-chat', true, [
      ['finish_reason eos', HALF + delta({}, 'eos') + USAGE + DONE, 'BerriAI/litellm#22138'],
      [
        'an empty finish_reason in each chunk',
        ROLE + delta({ content: 'Yes' }, '') + delta({ content: '.' }, 'stop') + DONE,
        'ollama/ollama#4357',
      ],
      [
        'a time as a sign of life',
        `data: 2024-04-27 01:35:43.686476\n\n${HALF}${delta({}, 'stop')}${DONE}`,
        'lanqian528/chat2api#25',
      ],
      [
        'an empty text as a sign of life',
        `data: ""\n\n${HALF}data: ping\n\n${delta({}, 'stop')}${DONE}`,
        'caozhiyuan/copilot-api#88',
      ],
      ['no word and the mark for the end', HALF + DONE, 'ENTERPILOT/GoModel#866'],
      [
        'a chunk without choices first',
        chunk({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }) + HALF + delta({}, 'stop') + DONE,
        'meilisearch/meilisearch#6477',
      ],
      [
        'counts of 0 in each chunk',
        chunk({
          choices: [{ index: 0, delta: { role: '', content: 'Yes' } }],
          usage: { total_tokens: 0, total_characters: 0 },
          base_resp: { status_code: 0, status_msg: '' },
        }) +
          delta({}, 'stop') +
          DONE,
        'MiniMax-AI/MiniMax-M2.5#2',
      ],
      [
        'an error of null in each chunk',
        chunk({ error: null, choices: [{ index: 0, delta: { content: 'Yes' }, finish_reason: null }] }) +
          chunk({ error: null, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
          DONE,
        'mudler/LocalAI#1886',
      ],
      [
        'words about errors in its text',
        ROLE + delta({ content: 'data: "error" {"finish_reason":"error"}' }) + delta({}, 'stop') + USAGE + DONE,
        'QuantumNous/new-api#5289',
      ],
      [
        'a picture and no count',
        ROLE +
          delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }) +
          delta({}, 'stop') +
          DONE,
        'open-legal-products/mike#379',
      ],
      ['a text that was withheld', ROLE + delta({}, 'content_filter') + DONE, 'CherryHQ/cherry-studio#16079'],
    ]),
  ],
}
