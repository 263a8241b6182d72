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
  /** A word of another program's interface; `chinese` null: there is none. */
  inApp(english: string, chinese: string | null): string
}

export const texts: SetupTexts = {
  categories: { cli: 'In the terminal', sdk: 'In code', app: 'Apps', http: 'HTTP' },
  systems: { posix: 'macOS, Linux', powershell: 'Windows PowerShell', cmd: 'Windows cmd', any: 'Any system' },
  protocols: {
    'openai-chat': 'OpenAI Chat Completions',
    'openai-responses': 'OpenAI Responses',
    'anthropic-messages': 'Anthropic Messages',
    gemini: 'Gemini',
  },
  purposes: {
    install: 'Install it if you haven’t yet',
    set: 'Set it up',
    extra: 'Optional settings',
    without_file: 'Try it without a file',
    keep: 'Make it permanent',
    try: 'Send a first message',
  },
  notes: {
    this_terminal: 'Lasts until you close this terminal.',
    new_terminal: 'Takes effect in terminals you open from now on.',
    shell_profile: 'Add it to your shell’s startup file: ~/.bashrc, ~/.zshrc or ~/.profile.',
    merge_into_file:
      'If the file already exists, merge this into it. Keep top-level entries above all sections, and don’t change other entries.',
    merge_list_into_file: 'If the file already exists, add this entry to its list and keep the others.',
    fields_in_app: 'Copy each value into the field with the same name, then save.',
    save_and_run: 'Save it under this name, and run it from the same folder.',
  },
  advice: {
    keep_out_of_repository: 'Keep the key in an environment variable, never in a file you commit to a repository.',
    file_holds_key:
      'This client stores the key in its own file. Don’t let others read that file, and leave it out of backups you share.',
    history_holds_key:
      'Commands stay in your shell’s history. In bash and zsh, starting the line with a space usually keeps it out.',
    other_anthropic_key_wins: 'ANTHROPIC_API_KEY overrides this configuration. Remove it wherever it’s set.',
    root_without_v1: 'Enter the address without /v1 or /v1beta at the end. The client adds it.',
    full_path_on_purpose: 'This client needs the full path.',
    own_provider_entry:
      'Add a separate provider for the gateway. The built-in OpenAI provider ignores the key from the environment.',
    restart_after_saving: 'After saving, quit the app and start it again.',
    called_from_cloud: 'Requests come from the vendor’s servers, not from your computer.',
    own_model_name:
      'If the model has the same name as one of Cursor’s own, Cursor may use its own service instead. Turn off the built-in model of that name.',
    menu_by_system: 'On macOS, Help is in the menu bar. On Windows, open the ☰ menu at the top left first.',
    opens_session: 'ccr code opens an interactive session. Type your first message there.',
    interactive_auth_type:
      'For an interactive session, start it with qwen --auth-type openai. Otherwise, the first run asks how to sign in.',
    slots_of_models: 'Claude Code has three model slots. Empty ones use the main model.',
    traffic_and_updates:
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC (optional) turns off telemetry, error reports and automatic updates.',
    called_from_container:
      'Inside a container, 127.0.0.1 is the container itself. Enter an address at which the container can reach this gateway.',
    model_from_list: 'It loads the list of models itself. Choose one there.',
    opened_in_vs_code:
      'To open this file, run “Chat: Manage Language Models” from the Command Palette, then choose Add Models → Custom Endpoint.',
    opened_in_raycast: 'To find this file, go to Settings → AI → Custom Providers → Reveal Providers Config.',
    use_chat_completions: 'If it also offers the Responses API, turn that off for models that don’t support it.',
  },
  unavailable: {
    no_models: 'This key can’t call any model right now.',
    no_chat_model: 'None of this key’s models is a chat model, and this client needs one.',
    no_model_of_protocol: 'None of this key’s models supports the protocol this client needs.',
  },
  inApp: (english) => english,
  warnings: {
    key_reaches_web_server:
      'The key becomes part of a web address and ends up in that server’s logs and your browser history. Use a key with a small quota, and delete it afterwards.',
    key_in_web_address: 'The key becomes part of a web address and stays in your browser history.',
    new_entry_each_time: 'Every click adds a new entry. Delete the old one in the app.',
    scan_with_phone: 'Scan it with the app on your phone. Anyone who photographs the code has your key.',
  },
}
