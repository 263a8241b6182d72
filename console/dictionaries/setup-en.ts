import type {
  ImportWarning,
  SetupAdvice,
  SetupClient,
  SetupNote,
  SetupProtocol,
  SetupPurpose,
  SetupSystem,
  SetupUnavailable,
} from '../../src/contract/setup.ts'

/** A sentence or a label for every code of `GET /api/keys/{id}/setup`. */
export interface SetupTexts {
  readonly categories: Readonly<Record<SetupClient['category'], string>>
  readonly systems: Readonly<Record<SetupSystem, string>>
  readonly protocols: Readonly<Record<SetupProtocol, string>>
  readonly purposes: Readonly<Record<SetupPurpose, string>>
  readonly notes: Readonly<Record<SetupNote, string>>
  readonly advice: Readonly<Record<SetupAdvice, string>>
  readonly unavailable: Readonly<Record<SetupUnavailable, string>>
  readonly warnings: Readonly<Record<ImportWarning, string>>
}

export const setupEn: SetupTexts = {
  categories: { cli: 'In the terminal', sdk: 'In code', app: 'Apps', http: 'Plain HTTP' },
  systems: { posix: 'macOS, Linux', powershell: 'Windows PowerShell', cmd: 'Windows cmd', any: 'Any system' },
  protocols: {
    'openai-chat': 'OpenAI Chat Completions',
    'openai-responses': 'OpenAI Responses',
    'anthropic-messages': 'Anthropic Messages',
    gemini: 'Gemini',
  },
  purposes: {
    install: 'Install it, if you haven’t yet',
    set: 'Set it up',
    keep: 'Keep it for later',
    try: 'Send a first message',
  },
  notes: {
    this_terminal: 'Holds for this terminal until you close it.',
    new_terminal: 'Takes effect in terminals that you open from now on.',
    shell_profile: 'Add it to the file that your shell reads at its start: ~/.bashrc, ~/.zshrc or ~/.profile.',
    merge_into_file:
      'If the file is there already, merge this into it: entries on the top level stay above all sections, and other entries stay as they are.',
    merge_list_into_file: 'If the file is there already, add this entry to its list and leave the others as they are.',
    fields_in_app: 'Copy each value into the field of that name, then save.',
    save_and_run: 'Save it as a file of this name, in the folder in which you then run it.',
  },
  advice: {
    keep_out_of_repository: 'Keep the key in the environment, never in a file that goes into a repository.',
    file_holds_key:
      'This client keeps the key in its own file. Let nobody else read that file, and leave it out of backups that you share.',
    history_holds_key:
      'What you type stays in your shell’s history. In bash and zsh a blank in front of the line can keep it out.',
    other_anthropic_key_wins: 'ANTHROPIC_API_KEY wins over this set-up. Remove it wherever it is set.',
    root_without_v1: 'Enter the address without /v1 or /v1beta at its end: the client adds that itself.',
    full_path_on_purpose: 'This client wants the whole path in its address. That is no mistake.',
    own_provider_entry:
      'The gateway needs an entry of its own: the built-in OpenAI provider ignores the key from the environment.',
    restart_after_saving: 'Quit the program after saving and start it again.',
    called_from_cloud:
      'Its maker’s servers send the requests, not your machine: they can’t reach an address in your own network.',
    called_from_container:
      'When it runs in a container, 127.0.0.1 means the container. Enter an address under which the container reaches this gateway.',
    use_chat_completions: 'If it offers the Responses API as well, switch that off for models that don’t speak it.',
  },
  unavailable: {
    no_models: 'This key can’t call any model right now.',
    no_model_of_protocol: 'None of this key’s models speaks the protocol that this client needs.',
  },
  warnings: {
    key_reaches_web_server:
      'The key becomes part of a web address. It reaches the logs of that server and your browser’s history. Use a key with a small quota, and delete it afterwards.',
    key_in_web_address: 'The key becomes part of a web address that your browser keeps in its history.',
    new_entry_each_time: 'Every click adds another entry. Delete the old one there.',
    scan_with_phone: 'Scan it with the app on your phone. Whoever photographs the code has the key.',
  },
}
