/** Every bound in one place, each with its reason. Sizes in bytes, times in milliseconds. */

/** Coding agents send up to 870 KB after a long loop; images and PDFs in base64 go far beyond. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024

/** Bodies that are still being received, of all requests together. */
export const BODIES_UNDER_WAY_LIMIT_BYTES = 512 * 1024 * 1024
/** So much of it is kept for the beginnings of bodies, which are all of most: an agent's first requests have 5 to 90 KB. */
export const SMALL_BODIES_LIMIT_BYTES = 64 * 1024 * 1024
export const SMALL_BODY_BYTES = 64 * 1024
/** What a body costs of which nothing has come yet: a connection and its parser. */
export const BODY_OVERHEAD_BYTES = 4_096
/** A body that came more slowly than this in one period is given up. A modem sends twice as much. */
export const BODY_PERIOD_MS = 10_000
export const BODY_LOWEST_BYTES = 16 * 1024
/** The more of a body is held the faster the rest must come: this part of it in a period. */
export const BODY_LOWEST_PART = 64
/** The first period is longer: some clients send their headers, and then make the body. */
export const BODY_GRACE_MS = 20_000

/** An answer that is not streamed is held until its usage is read and settled. Larger ones are refused as malformed. */
export const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024

/** One event of a stream: image and file parts arrive whole in base64. A picture of 4K has up to 40 MB, as a whole answer may. */
export const STREAM_EVENT_LIMIT_BYTES = 64 * 1024 * 1024
/** Events beyond this size are rare, so that what arrives of them is counted for all streams of a thread together. */
export const LARGE_EVENT_BYTES = 4 * 1024 * 1024
/** What large events may take that have not arrived whole: some ten pictures of 20 MB at once, each within a second or two. */
export const LARGE_EVENTS_LIMIT_BYTES = 256 * 1024 * 1024
/** Parts of a translated stream that are kept until they can be written: reasoning, calls, and the answer that a last event repeats. */
export const KEPT_PARTS_LIMIT_BYTES = 16 * 1024 * 1024

/**
 * The arguments of one call in a stream that is translated, in characters: some wires have them in one event, which holds twice as
 * many bytes, and some quotes are escaped there. More ends in a failure.
 */
export const CALL_ARGUMENTS_LIMIT_CHARACTERS = 8 * 1024 * 1024
/** The most that the arguments of all calls of such an answer may have. */
export const ANSWER_ARGUMENTS_LIMIT_CHARACTERS = 16 * 1024 * 1024

/**
 * A body that is translated is parsed and written anew while all other requests wait. The longest loops of agents send a few
 * megabytes, most of it text or pictures: 8 MB of that take some 40 ms of the processor.
 */
export const TRANSLATED_BODY_LIMIT_BYTES = 8 * 1024 * 1024
/**
 * JSON values of such a body, which cost far more than their bytes. A message or a call of a tool has 3 to 10 and a tool's schema
 * some fifty, so that 5,000 messages with a hundred tools stay below it.
 */
export const TRANSLATED_VALUES_LIMIT = 60_000

/** A larger body is read in steps, with a turn of the event loop behind each, so that all others need not wait for it. */
export const BODY_AT_ONCE_BYTES = 256 * 1024
/** A step takes a tenth of a millisecond, and some five where the body was made to be slow to read. */
export const BODY_STEP_BYTES = 64 * 1024
/**
 * So much of a body is searched for words that matter little in a larger one: of a few bytes each, at the worst, that takes ten
 * milliseconds.
 */
export const SEARCHED_BODY_BYTES = 2 * 1024 * 1024

/** An upstream's error answer is read to be understood, so a page of HTML is not read to its end. */
export const ERROR_ANSWER_LIMIT_BYTES = 256 * 1024
/** So much of what it says is kept with the attempt: a sentence or two. */
export const KEPT_WORDS_CHARACTERS = 200

/** A client that sends its body slower than this is holding a socket, not asking a question. */
export const REQUEST_TIMEOUT_MS = 120_000

/** What an upstream's answer has beside its content: head, announcements before it, extensions of chunks, trailers. As much as Node allows a head. */
export const UPSTREAM_HEAD_LIMIT_BYTES = 16 * 1024
/** Answers of status 1xx before the real one. Some servers announce what a page needs, once. */
export const UPSTREAM_INTERIM_LIMIT = 16
/** The longest head of a request; with a longer one its connection is served by Node's HTTP server, which takes twice as much. */
export const FRONT_HEAD_LIMIT_BYTES = 8 * 1024
/** What a client sends before it may be read waits in memory up to this, and then in the system: as much as Node lets wait. */
export const FRONT_AHEAD_LIMIT_BYTES = 64 * 1024

/** Upstream defaults; each upstream may set its own. */
export const CONNECT_TIMEOUT_MS = 10_000
export const FIRST_BYTE_TIMEOUT_MS = 600_000
/** The time for the first event of a stream that is not expected to think before it writes. */
export const FIRST_EVENT_TIMEOUT_MS = 120_000
/** Silence between two bytes of one answer: reasoning models pause for minutes. */
export const IDLE_TIMEOUT_MS = 300_000
export const TOTAL_TIMEOUT_MS = 3_600_000

/** Clients reset their idle timers on these; the shortest of those timers seen is 120 s. */
export const KEEP_ALIVE_MS = 15_000

/**
 * Connections that the system takes for us while the process is busy; its own bound may be lower. More than Node's 511, which
 * a burst of a thousand clients passes: those beyond it wait 15 s and are then cut.
 */
export const CONNECTION_BACKLOG = 4_096

/**
 * A stream begins with a sign of life where no event came so long, however long its request had waited before. nginx, Apache
 * and AWS cut off what is silent for 60 s, other balancers after 50 s, and some clients ask again after 120 s.
 */
export const STREAM_BEGINS_WITHIN_MS = 45_000

/** Each try multiplies with the client's own retries, so there are two more targets at most. */
export const ATTEMPTS_LIMIT = 3
/** One target is asked once more without a setting that it refused, and once more without a second one. */
export const TRIES_OF_TARGET_LIMIT = 3
/** Targets of which it is remembered which settings they refuse, and how many of each. */
export const LEARNING_TARGETS_LIMIT = 1_000
export const LEARNED_OF_TARGET_LIMIT = 16
/** Single values among them, which callers choose: the rest stays free for settings. */
export const LEARNED_VALUES_OF_TARGET_LIMIT = 8
/** A second target may be asked beside one that lets wait, from so early and until so late. */
export const HEDGE_LEAST_MS = 10
export const HEDGE_MOST_MS = 600_000
/** What is kept of a stream that runs beside another until it says something for the client: on translated wires thinking may come before that. */
export const HEDGE_KEPT_BYTES = 64 * 1024
/** The most that a usage record keeps of the candidates of its request, in UTF-8: records are many and this is read of few. */
export const ROUTE_TRACE_BYTES = 200
/**
 * No other target is tried once a request has taken so long, since most clients have given up by then; one that was silent for
 * all of its time still has another after it.
 */
export const TRY_AGAIN_WITHIN_MS = FIRST_BYTE_TIMEOUT_MS + 60_000
/** A caller who says to wait for less is taken to wait for so long: an answer needs some time at any upstream. */
export const CLIENT_PATIENCE_LEAST_MS = 1_000
/** A request waits so long at most for targets that rest: longer waits are the client's to choose. */
export const TARGET_PATIENCE_MS = 2_000
/** Requests that wait for one upstream at once: each has its body in memory. */
export const WAITING_FOR_TARGETS_LIMIT = 1_000

/**
 * Output tokens of one step: so much is held when a streamed request is sent, and again each time what it wrote comes near
 * what is held. Agents ask for 128,000 tokens and write 800.
 */
export const OUTPUT_STEP_TOKENS = 1024
/** Held for when neither the client nor the model names a limit of the output: as much as most models can write. Admins may set others. */
export const HELD_OUTPUT_TOKENS = 128_000
/** Held for input that a request does not bring itself, of a model without `context_tokens`: what most models can read. */
export const HELD_INPUT_TOKENS = 200_000
/** A request with less output than this to come is refused: OpenAI's Responses API takes no smaller limit. */
export const LEAST_OUTPUT_TOKENS = 16
/**
 * A request for which there is not all that it may cost takes so many steps of output before it leaves some of the rest to
 * others.
 */
export const COMFORTABLE_STEPS = 16
/** Requests wait so long at most for money that running ones hold; most answers are complete by then, and clients have not given up. */
export const MONEY_PATIENCE_MS = 30_000
/** Requests that wait at once: each has its body in memory. */
export const WAITING_FOR_MONEY_LIMIT = 256

/**
 * How long the answer for a client that hung up is read on for its usage, and below how many bytes: a usage comes within a
 * second of the last word, and an upstream that goes on to write costs money for which no reader is left.
 */
export const DRAIN_MS = 5_000
export const DRAIN_BYTES = 1024 * 1024
/**
 * How long it is read on where the request brings in what its bytes do not show, and it is not reported yet how much that is: without a usage
 * all that the model can read would be charged, which is more than what it writes in so long.
 */
export const DRAIN_FOR_INPUT_MS = 30_000
/** So many are read on at a time on a node: clients that hang up together must not take the sockets of those that don't. */
export const DRAINED_REQUESTS = 200
/** How many of these one account may have, so that no account takes the place of the others. */
export const DRAINED_REQUESTS_OF_ACCOUNT = 50
/** Models of which the thinking of the last answers is remembered; an installation has some hundred. */
export const THINKING_MODELS_LIMIT = 5_000

/**
 * More tokens than this in one request are not counted: a body has fewer bytes, and a report beyond what a model can read or
 * write is not believed.
 */
export const COUNTABLE_TOKENS_LIMIT = 100_000_000
/** Input tokens of a model without `context_tokens` that are believed: about twice what any model of the shipped price list reads. */
export const UNSET_CONTEXT_BELIEVED_LIMIT = 2_000_000
/** The input that is believed of a request whose upstream runs tools by itself, and reports the sum of what it read again and again. */
export const INPUT_BELIEVED_LIMIT = 20_000_000
/**
 * Calls of one kind of tool inside one request beyond which a report is charged as so many. Agents that search for minutes make
 * some hundred.
 */
export const CALLS_LIMIT = 1_000
/**
 * Calls of a tool with a fee that money is held for where the request names no bound and its wire has one: so many are then sent
 * as its bound. Answers to a question make up to some thirty.
 */
export const HELD_CALLS = 100
/** Places in which one request may name tools that its provider runs; providers take each once. */
export const HOSTED_TOOLS_LIMIT = 64
/** A million tokens cost ten million USD at most, the multiplier included: ten dollars a token. The dearest models take $600. */
export const UNIT_PRICE_LIMIT_NANO_USD = 10_000_000n * 1_000_000_000n
/** A factor beyond this is a mistake: money of the weakest currency is not that far from a dollar's worth of tokens. */
export const MULTIPLIER_LIMIT = 10_000n
/**
 * What one request can cost: all countable tokens at the highest unit price, a ninth of what a signed 64-bit integer holds.
 * A record beyond that could never be written, and whatever is to be settled after it would wait for ever.
 */
export const COST_LIMIT_NANO_USD = (UNIT_PRICE_LIMIT_NANO_USD * BigInt(COUNTABLE_TOKENS_LIMIT)) / 1_000_000n

/**
 * What the credits of one account may add up to in its life: well inside a signed 64-bit integer, so that nothing that is
 * computed with them overflows.
 */
export const CREDITS_LIMIT_NANO_USD = 9_000_000_000n * 1_000_000_000n
/** The opening credit that one call may attach to invitations, over all of them: a slip of a digit must not be a fortune. */
export const INVITATION_CREDIT_LIMIT_NANO_USD = 10_000n * 1_000_000_000n

/** Connections to PostgreSQL of each thread of a node, for statements; one more listens to changes. */
export const DATABASE_CONNECTIONS = 12
/** Fewer let statements wait for each other: a transaction may need what another connection reads. */
export const FEWEST_DATABASE_CONNECTIONS = 3
export const MOST_DATABASE_CONNECTIONS = 200

/** What a node holds (leases, running requests) is given up when nothing was heard of it for this long. */
export const NODE_LIFE_MS = 30_000
/** A node stops using what it holds at this part of its life, so that clocks that drift don't matter. */
export const NODE_USABLE_PART = 0.8
/** How often a node renews its life. */
export const NODE_BEAT_MS = 5_000
/** Threads of one process that carry requests: more than the cores of any machine that one gateway is worth. */
export const MOST_WORKERS = 32
/** A thread that ends by itself is started again; when that was so often within so long, the process ends instead. */
export const WORKER_RESTARTS = 5
export const WORKER_RESTARTS_WITHIN_MS = 60_000

/** An empty budget must not cause a storm of grants. */
export const REFUSAL_MEMORY_MS = 100

export const SETTLE_BATCH_LIMIT = 500
/** The number of unsettled closings from which the store is behind, and new requests are refused. */
export const SETTLE_QUEUE_LIMIT = 20_000

/** Keys kept in memory; those read first go first. */
export const KEYS_IN_MEMORY_LIMIT = 100_000
/** Unknown credentials remembered as unknown, so that guessing costs no query each. */
export const UNKNOWN_KEYS_LIMIT = 10_000
/** How many there may be from one address; custom keys that an address has not used before are looked up no more often than that either. */
export const BAD_CREDENTIALS_PER_MINUTE = 120
/** Twice what the longest API key has: nothing looks at a longer credential, neither for what is wrong with it nor as a hash. */
export const CREDENTIAL_LIMIT_CHARACTERS = 256
/** What a record keeps of why its request was refused, as JSON: a few short facts, as clients may be refused all day. */
export const FAULT_FACTS_LIMIT_BYTES = 512
/** Custom keys remembered with the addresses that use them, which go on while guesses from there are refused: 4 MB. */
export const KEYS_USED_FROM_ADDRESSES_LIMIT = 20_000

/** Bodies of the console API: the largest that make sense are lists of names. */
export const CONTROL_BODY_LIMIT_BYTES = 1024 * 1024
/** The largest body where no sign-in is needed: the largest are answers of passkey authenticators, of a few kilobytes. */
export const ANONYMOUS_BODY_LIMIT_BYTES = 64 * 1024
/** A test of an upstream asks for a list of models, which takes seconds at most; an admin waits for it. */
export const UPSTREAM_TEST_MS = 10_000
/** A probe of an address asks up to three protocols one after the other, and an admin watches. */
export const UPSTREAM_PROBE_MS = 6_000
/** The longest public list of models has some 700 kB. */
export const MODEL_LIST_LIMIT_BYTES = 4 * 1024 * 1024
export const MODEL_LIST_LIMIT = 2_000
/** A list of prices is asked for once, and an admin waits. LiteLLM’s has 1.6 MB. */
export const PRICE_FETCH_MS = 10_000
export const PRICE_LIST_LIMIT_BYTES = 4 * 1024 * 1024
/**
 * How often one account, or the admin token, has a node ask addresses that people typed: lists of prices, probes, tests and
 * lists of models of upstreams. Enough to set up a dozen providers by hand, and too few to look for open ports.
 */
export const ADDRESSES_ASKED_PER_MINUTE = 30
/** A test by a real request asks for a few words, which models that think begin within a minute; an admin waits for it. */
export const UPSTREAM_TRIAL_MS = 60_000
/** Each costs money: a matrix of three models, eight credentials and four protocols goes through in a minute. */
export const UPSTREAM_TRIALS_PER_MINUTE = 100
/** So many of them at once, beside the requests of clients. */
export const UPSTREAM_TRIALS_AT_ONCE = 8
/** Answers that a process keeps for groups with a cache: memory that requests under way do not need, in all and for each. */
export const RESPONSE_CACHE_BYTES = 64 * 1024 * 1024
export const RESPONSE_CACHE_ENTRIES = 20_000
export const RESPONSE_CACHE_ENTRY_BYTES = 1024 * 1024
/** A week: what is older is asked for anew, as models change under their names. */
export const RESPONSE_CACHE_TTL_LIMIT_SECONDS = 7 * 86_400
/** A test message of a key asks for a few words as well; a person waits for it, in a page. */
export const KEY_MESSAGE_MS = 60_000
/** Each costs its account money, and takes a request of a minute: enough to try some models and protocols by hand. */
export const KEY_MESSAGES_PER_MINUTE = 10
/** So many of them at once on a node: they take memory that is not the requests of clients. */
export const KEY_MESSAGES_AT_ONCE = 16
/** Output that a test by a real request asks for, in tokens, where its wire takes so small a limit. */
export const UPSTREAM_TRIAL_OUTPUT_TOKENS = 8
/** What an admin may have a test say: enough for the sentence that a provider wants, and no long prompt. */
export const UPSTREAM_TRIAL_TEXT_CHARACTERS = 1_000
/** Each asks a payment provider for a page: a person who buys something pays one of the first. */
export const UNPAID_ORDERS_PER_HOUR = 20
/** Wrong redeem codes an account may try in an hour: a person with a real code types it right sooner. */
export const WRONG_REDEEM_CODES_PER_HOUR = 10
/** Wrong credentials on the console API, by address: a program that is set up wrongly gives up long before. */
export const BAD_CONTROL_CREDENTIALS_PER_MINUTE = 60
/** Keys that one address may check without signing in, right ones and wrong ones: a person has a handful. By each process. */
export const KEY_CHECKS_PER_MINUTE = 10
/** And all addresses together: guesses from many of them are as hopeless, and must not load the database. By each process. */
export const ALL_KEY_CHECKS_PER_MINUTE = 600
/** Refusals of a checked key come after as long as this, whatever was wrong with it, so that the time says nothing of it. */
export const KEY_CHECK_REFUSED_AFTER_MS = 300
/** How long pages without sign-in show the same figures, however many people read them. */
export const PUBLIC_FIGURES_KEPT_MS = 60_000
/** Models on one page without sign-in. */
export const PUBLIC_MODELS_LIMIT = 500
/** How long the answer of a request with an `Idempotency-Key` is kept; clients repeat within minutes. */
export const IDEMPOTENCY_KEPT_MS = 86_400_000
/** So many of them for one actor: one each nine seconds, all day. */
export const IDEMPOTENCY_KEYS_LIMIT = 10_000
/** Longer answers to a POST are not kept. The longest of ours has a thousand redeem codes, in 400 KB. */
export const IDEMPOTENCY_ANSWER_LIMIT = 512 * 1024
/** A repeated request waits this long for the first one, which may be waiting for the nodes. */
export const IDEMPOTENCY_WAIT_MS = 3_000
/** More are hard to keep track of; each is a credential that may be lost. */
export const ACCESS_TOKENS_LIMIT = 100
/** Announcements that are there at once, past and to come: all of them are read for a page, and no reader takes in a hundred. */
export const ANNOUNCEMENTS_LIMIT = 100
/** Sessions of one account: its browsers and devices. A sign-in beyond it ends the oldest. */
export const SESSIONS_OF_AN_ACCOUNT_LIMIT = 50
/** Passkeys of one account: its devices, and some to spare. */
export const PASSKEYS_OF_AN_ACCOUNT_LIMIT = 50
/**
 * Audit entries that one account may cause in an hour on one node, each with a change of something: enough to make every key
 * that it may have, and to delete them. Rows of deleted keys and of replaced secrets stay as well, so this bounds them too.
 * Admins are not held to it.
 */
export const CHANGES_OF_AN_ACCOUNT_PER_HOUR = 2_000
/** Keys of one account that are not deleted: a team of a thousand with a key each. Admins may set less. */
export const KEYS_OF_AN_ACCOUNT_LIMIT = 1_000
/** Visits to the playground at once: each has a key of its own, which ends within a day and counts for no other limit. */
export const PLAYGROUND_KEYS_OF_AN_ACCOUNT_LIMIT = 20
/** A request that has run for longer died with its process: the longest wait in one is that for the nodes, a minute. */
export const IDEMPOTENCY_RUNNING_MS = 180_000

/** Characters of usual text that are counted exactly in one request, in 2 s; what comes behind them counts by its bytes. */
export const COUNTING_WORK = 4_000_000
/** Requests and answers without a usage that wait to be counted; beyond these, and where it takes seconds, an estimate is charged. */
export const COUNTS_WAITING = { entries: 1_000, bytes: 64 * 1024 * 1024 }
/** Token counts that clients ask for; beyond these they get the estimate that every request is held by. */
export const FREE_COUNTS_WAITING = { entries: 64, bytes: 8 * 1024 * 1024 }
/** The longest that one key may have waiting, and so the longest body: the tokenizer takes a second for it. */
export const COUNTS_OF_KEY_WAITING = { entries: 8, bytes: 2 * 1024 * 1024 }
/** How many credentials one upstream may have: each choice looks at all of them, and each has its health in memory. */
export const CREDENTIALS_LIMIT = 500
/** The part of an upstream's `max_concurrency` that token counts may take, which are free. */
export const FREE_PART_OF_CONCURRENCY = 0.25

/**
 * Series of one metric that a thread counts by what is configured: a hundred models in ten groups on four wires, with what
 * becomes of their requests. What comes later is counted under `other`, which is bounded by wires, outcomes and faults.
 */
export const METRIC_SERIES_LIMIT = 20_000
/** What a thread does not say in this time of what it counted is taken from the last time. */
export const METRICS_WITHIN_MS = 2_000

/** How long OpenAI keeps a response: which upstream made it is forgotten then. */
export const STORED_RESPONSE_KEPT_MS = 30 * 86_400_000
/** Longer ids are not remembered; those of providers have 60 characters at most. */
export const STORED_RESPONSE_ID_CHARACTERS = 200
/** Items of one answer that are remembered; an agent's longest have some ten. */
export const STORED_ITEMS_LIMIT = 100
/** Stored items that one request may name: each is looked up, and an agent's long conversation has some hundred. */
export const STORED_IDS_LIMIT = 2_000
/** How long a process knows which realm made what a client holds: conversations that rest longer are found again by one more attempt. */
export const PROVIDER_ORG_REMEMBERED_MS = 86_400_000
/** Fingerprints that are remembered, of 150 bytes each: a busy day of a thousand conversations, in 15 MB at most. */
export const PROVIDER_ORGS_REMEMBERED_LIMIT = 100_000
/** The last so many sealed pieces of a request are looked at: the newest are those that matter. */
export const SEALED_PIECES_LIMIT = 16
/** Rows that are remembered of one account; the oldest go first. A busy client makes a thousand responses a day. */
export const STORED_RESPONSES_OF_ACCOUNT_LIMIT = 200_000
/** Rows that one statement deletes, so that a settle never waits long for it. */
export const STORED_RESPONSES_AT_A_TIME = 1_000
/** What is asked about a stored response is answered at once, or not at all. */
export const STORED_RESPONSE_ANSWER_MS = 60_000
/** So many credentials are asked about it, one after the other, where each is refused or its realm has no such response. */
export const STORED_RESPONSE_CREDENTIALS_LIMIT = 3

/** Headers of requests that one upstream may have left out: far more than any provider objects to. */
export const CHANGED_HEADERS_LIMIT = 50

/**
 * How often nodes share what is spent under caps in a day: each stores what it spent and reads what all did. Another node hears
 * of it within twice this time, in which it may pass a cap; one that is killed forgets what it spent in this time once.
 */
export const CREDENTIAL_SPEND_SHARED_MS = 5_000

/** Requests that one capture keeps, on all nodes together, and how long it runs at most: enough to see what a client does. */
export const CAPTURE_REQUESTS = 20
export const CAPTURE_MS = 15 * 60_000
/** How long a capture is kept from its beginning on. What it kept is neither shown nor stored for longer. */
export const CAPTURE_KEPT_MS = 86_400_000
/** Captures that run at a time, of all keys. */
export const CAPTURES_AT_ONCE = 5
/** How much is kept of each body, whichever way it went; what is longer is cut, with a mark. */
export const CAPTURE_BODY_BYTES = 256 * 1024
/** Attempts at upstreams that are kept of one request: the first ones. */
export const CAPTURE_ATTEMPTS = 3
/** What captured requests of one process may take in memory until they are stored: later ones are missed, never delayed. */
export const CAPTURES_UNDER_WAY_BYTES = 32 * 1024 * 1024
/** Sealed, of all captures together: beyond it, captures end. */
export const CAPTURES_KEPT_BYTES = 128 * 1024 * 1024
