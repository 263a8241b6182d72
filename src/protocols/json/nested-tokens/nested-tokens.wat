;; Walks over the values in a JSON value, 64 bytes at a time, and stops where a reader has to look: at long strings, at names that may
;; matter, and where the value ends. nested-tokens-code.ts has it compiled; test/architecture/compiled-code.test.ts compiles it anew.
;; What escapes what is worked out as quote-marks.wat does it. What is in strings is masked by the parity of the quotes before it
;; (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019, section 3.1.1).
(module
  ;; 0x00000: 64 KB of input, and 64 bytes of zeros behind it at most.
  ;; 0x10100: what is known where the walk stands, in words (see $next).
  ;; 0x10200: offsets of the brackets that are open; 0x10600: which brackets they are, a byte each.
  ;; 0x10800: 16 KB with a 1 for each length, first and last letter of a name that may matter.
  (memory (export "memory") 2)

  ;; Where the input stands in the text, and how long it is.
  (global $base (mut i32) (i32.const 0))
  (global $length (mut i32) (i32.const 0))
  ;; The block, its quotes and brackets that are still to be looked at, and whether \u is in it.
  (global $at (mut i32) (i32.const 0))
  (global $tokens (mut i64) (i64.const 0))
  (global $blockHasUnicode (mut i32) (i32.const 0))
  ;; 1: a backslash before the block escapes its first byte.
  (global $isEscaped (mut i64) (i64.const 0))
  ;; The offset of the quote that began the string in which the walk stands; -1: it stands in none.
  (global $string (mut i32) (i32.const -1))
  ;; Whether \u may be in it.
  (global $hasUnicode (mut i32) (i32.const 0))
  (global $depth (mut i32) (i32.const 0))
  ;; Which names to stop at: 0: none, 1: those in the table, 2: all.
  (global $names (mut i32) (i32.const 0))
  ;; At how many of the objects and lists that stand in the value itself to stop.
  (global $inside (mut i32) (i32.const 0))

  ;; A bit is set where an odd number of bits is set up to it.
  (func $parity (param $of i64) (result i64)
    (local.set $of (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 1))))
    (local.set $of (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 2))))
    (local.set $of (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 4))))
    (local.set $of (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 8))))
    (local.set $of (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 16))))
    (i64.xor (local.get $of) (i64.shl (local.get $of) (i64.const 32))))

  ;; Whether to stop at the name of $length bytes at $at in the input, quotes not counted.
  (func $matters (param $at i32) (param $length i32) (result i32)
    (local $i i32)
    (local $bytes v128)
    (local $odd i32)
    (if
      (i32.load8_u offset=0x10800
        (i32.or
          (i32.or
            (i32.shl (i32.and (local.get $length) (i32.const 15)) (i32.const 10))
            (i32.shl (i32.and (i32.load8_u (local.get $at)) (i32.const 31)) (i32.const 5)))
          (i32.and
            (i32.load8_u (i32.sub (i32.add (local.get $at) (local.get $length)) (i32.const 1)))
            (i32.const 31))))
      (then (return (i32.const 1))))
    ;; An escape takes six bytes for a letter, and the shortest name that may be written with one takes seven.
    (if (i32.lt_u (local.get $length) (i32.const 7)) (then (return (i32.const 0))))
    (loop $next
      (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $i))))
      (local.set $odd
        (i32.or
          (i8x16.bitmask (local.get $bytes))
          (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))))
      (if (i32.lt_u (i32.sub (local.get $length) (local.get $i)) (i32.const 16))
        (then
          (local.set $odd
            (i32.and (local.get $odd)
              (i32.sub
                (i32.shl (i32.const 1) (i32.sub (local.get $length) (local.get $i)))
                (i32.const 1))))))
      (if (local.get $odd) (then (return (i32.const 1))))
      (local.set $i (i32.add (local.get $i) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (i32.const 0))

  ;; The walk goes on with $length bytes of input, which stand at $base in the text. What is behind them, up to a multiple of 64, must
  ;; be zero. $depth brackets are open. For the others see the globals.
  (func (export "open") (param $base i32) (param $length i32) (param $depth i32) (param $string i32)
      (param $hasUnicode i32) (param $isEscaped i32) (param $names i32) (param $inside i32)
    (global.set $base (local.get $base))
    (global.set $length (local.get $length))
    (global.set $depth (local.get $depth))
    (global.set $string (local.get $string))
    (global.set $hasUnicode (local.get $hasUnicode))
    (global.set $isEscaped (i64.extend_i32_u (local.get $isEscaped)))
    (global.set $names (local.get $names))
    (global.set $inside (local.get $inside))
    (global.set $at (i32.const -64))
    (global.set $tokens (i64.const 0))
    (global.set $blockHasUnicode (i32.const 0)))

  ;; Goes on to the next place to look at, and leaves its range and its own state behind 0x10100. 0: the input is at its end; 1: a
  ;; string of 512 bytes or more; 2: a shorter one that may be a name that matters, if a colon follows; 3: an object or list that
  ;; stands in the value itself; 4: the value; 5: at $start a bracket that closes another one than is open or is one too deep,
  ;; or a backslash.
  (func (export "next") (result i32)
    (local $at i32)
    (local $tokens i64)
    (local $base i32)
    (local $string i32)
    (local $depth i32)
    (local $hasUnicode i32)
    (local $blockHasUnicode i32)
    (local $a v128)
    (local $b v128)
    (local $c v128)
    (local $d v128)
    (local $quotes i64)
    (local $backslash i64)
    (local $begins i64)
    (local $series i64)
    (local $escaped i64)
    (local $isEscaped i64)
    (local $offset i32)
    (local $byte i32)
    (local $size i32)
    (local $code i32)
    (local $start i32)
    (local $end i32)
    (local.set $at (global.get $at))
    (local.set $tokens (global.get $tokens))
    (local.set $base (global.get $base))
    (local.set $string (global.get $string))
    (local.set $depth (global.get $depth))
    (local.set $hasUnicode (global.get $hasUnicode))
    (local.set $blockHasUnicode (global.get $blockHasUnicode))
    (local.set $isEscaped (global.get $isEscaped))
    (block $stop
      (loop $token
        (if (i64.eqz (local.get $tokens))
          (then
            (loop $block
              ;; A string goes on behind the block that was looked at.
              (if (i32.ge_s (local.get $string) (i32.const 0))
                (then (local.set $hasUnicode (i32.or (local.get $hasUnicode) (local.get $blockHasUnicode)))))
              (local.set $at (i32.add (local.get $at) (i32.const 64)))
              (local.set $blockHasUnicode (i32.const 0))
              (br_if $stop (i32.ge_s (local.get $at) (global.get $length)))
              (local.set $a (v128.load (local.get $at)))
              (local.set $b (v128.load offset=16 (local.get $at)))
              (local.set $c (v128.load offset=32 (local.get $at)))
              (local.set $d (v128.load offset=48 (local.get $at)))
              ;; A bit for each byte of the block.
              (local.set $quotes
                (i64.or
                  (i64.or
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x22)))))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x22))))) (i64.const 16)))
                  (i64.or
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x22))))) (i64.const 32))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x22))))) (i64.const 48)))))
              (local.set $backslash
                (i64.or
                  (i64.or
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x5c)))))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x5c))))) (i64.const 16)))
                  (i64.or
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x5c))))) (i64.const 32))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x5c))))) (i64.const 48)))))
              (if (i64.ne (i64.or (local.get $backslash) (local.get $isEscaped)) (i64.const 0))
                (then
                  (local.set $begins
                    (i64.and (local.get $backslash) (i64.xor (local.get $isEscaped) (i64.const -1))))
                  (local.set $series
                    (i64.xor
                      (i64.sub
                        (i64.or (i64.shl (local.get $begins) (i64.const 1)) (i64.const 0xaaaaaaaaaaaaaaaa))
                        (local.get $begins))
                      (i64.const 0xaaaaaaaaaaaaaaaa)))
                  (local.set $escaped
                    (i64.xor (local.get $series) (i64.or (local.get $backslash) (local.get $isEscaped))))
                  (local.set $isEscaped
                    (i64.shr_u (i64.and (local.get $series) (local.get $backslash)) (i64.const 63)))
                  (local.set $quotes
                    (i64.and (local.get $quotes) (i64.xor (local.get $escaped) (i64.const -1))))
                  (local.set $blockHasUnicode
                    (i64.ne
                      (i64.and (local.get $escaped)
                        (i64.or
                          (i64.or
                            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x75)))))
                            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x75))))) (i64.const 16)))
                          (i64.or
                            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x75))))) (i64.const 32))
                            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x75))))) (i64.const 48)))))
                      (i64.const 0)))))
              (br_if $block
                (i32.and (i64.eqz (local.get $quotes)) (i32.ge_s (local.get $string) (i32.const 0))))
              (local.set $tokens
                (i64.or (local.get $quotes)
                  (i64.and
                    ;; Brackets, and what stands in no JSON outside of strings: some letters, and backslashes, at which it stops.
                    (i64.or (local.get $backslash)
                    (i64.or
                      (i64.or
                        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $a) (i8x16.splat (i32.const 0x26))) (i8x16.splat (i32.const 0x7f)))))
                        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $b) (i8x16.splat (i32.const 0x26))) (i8x16.splat (i32.const 0x7f))))) (i64.const 16)))
                      (i64.or
                        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $c) (i8x16.splat (i32.const 0x26))) (i8x16.splat (i32.const 0x7f))))) (i64.const 32))
                        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $d) (i8x16.splat (i32.const 0x26))) (i8x16.splat (i32.const 0x7f))))) (i64.const 48)))))
                    (i64.xor
                      (call $parity (local.get $quotes))
                      ;; All bits where no string is open, from which the parity is taken.
                      (i64.sub
                        (i64.extend_i32_u (i32.ge_s (local.get $string) (i32.const 0)))
                        (i64.const 1))))))
              (br_if $block (i64.eqz (local.get $tokens))))))
        (local.set $offset (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $tokens)))))
        (local.set $tokens (i64.and (local.get $tokens) (i64.sub (local.get $tokens) (i64.const 1))))
        (local.set $byte (i32.load8_u (local.get $offset)))
        (local.set $end (i32.add (i32.add (local.get $base) (local.get $offset)) (i32.const 1)))
        (if (i32.eq (local.get $byte) (i32.const 0x22))
          (then
            (if (i32.lt_s (local.get $string) (i32.const 0))
              (then
                (local.set $string (i32.add (local.get $base) (local.get $offset)))
                (local.set $hasUnicode (i32.const 0))
                (br $token)))
            (local.set $start (local.get $string))
            (local.set $string (i32.const -1))
            (local.set $size (i32.sub (local.get $end) (local.get $start)))
            (if (i32.ge_u (local.get $size) (i32.const 512))
              (then
                (local.set $hasUnicode (i32.or (local.get $hasUnicode) (local.get $blockHasUnicode)))
                (local.set $code (i32.const 1))
                (br $stop)))
            (br_if $token (i32.eqz (global.get $names)))
            (br_if $token (i32.gt_u (local.get $size) (i32.const 256)))
            (local.set $offset (i32.add (local.get $offset) (i32.const 1)))
            (if (i32.lt_u (local.get $offset) (global.get $length))
              (then
                (local.set $byte (i32.load8_u (local.get $offset)))
                ;; Neither a colon nor a blank.
                (br_if $token
                  (i32.and (i32.ne (local.get $byte) (i32.const 0x3a)) (i32.gt_u (local.get $byte) (i32.const 0x20))))
                (if (i32.and (i32.eq (global.get $names) (i32.const 1)) (i32.ge_s (local.get $start) (local.get $base)))
                  (then
                    (br_if $token
                      (i32.eqz (call $matters
                        (i32.add (i32.sub (local.get $start) (local.get $base)) (i32.const 1))
                        (i32.sub (local.get $size) (i32.const 2)))))))))
            (local.set $code (i32.const 2))
            (br $stop)))
        (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
          (then
            (local.set $start (i32.sub (local.get $end) (i32.const 1)))
            (i32.store offset=0x10200 (i32.shl (local.get $depth) (i32.const 2)) (local.get $start))
            (i32.store8 offset=0x10600 (local.get $depth) (local.get $byte))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (br_if $token (i32.le_u (local.get $depth) (i32.const 200)))
            (local.set $code (i32.const 5))
            (br $stop)))
        (if (i32.eq (local.get $byte) (i32.const 0x5c))
          (then
            (local.set $start (i32.sub (local.get $end) (i32.const 1)))
            (local.set $code (i32.const 5))
            (br $stop)))
        (br_if $token (i32.ne (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7d)))
        ;; In ASCII both kinds of brackets stand two apart: [ ] and { }.
        (local.set $size (i32.sub (local.get $depth) (i32.const 1)))
        (if (i32.ne (local.get $byte) (i32.add (i32.load8_u offset=0x10600 (local.get $size)) (i32.const 2)))
          (then
            (local.set $start (i32.sub (local.get $end) (i32.const 1)))
            (local.set $code (i32.const 5))
            (br $stop)))
        (local.set $depth (local.get $size))
        (br_if $token (i32.gt_u (local.get $depth) (i32.const 1)))
        (if (local.get $depth)
          (then
            (br_if $token (i32.eqz (global.get $inside)))
            (global.set $inside (i32.sub (global.get $inside) (i32.const 1)))))
        (local.set $start (i32.load offset=0x10200 (i32.shl (local.get $depth) (i32.const 2))))
        (local.set $code (i32.sub (i32.const 4) (local.get $depth)))))
    (global.set $at (local.get $at))
    (global.set $tokens (local.get $tokens))
    (global.set $string (local.get $string))
    (global.set $depth (local.get $depth))
    (global.set $hasUnicode (local.get $hasUnicode))
    (global.set $blockHasUnicode (local.get $blockHasUnicode))
    (global.set $isEscaped (local.get $isEscaped))
    (i32.store (i32.const 0x10100) (local.get $start))
    (i32.store (i32.const 0x10104) (local.get $end))
    (i32.store (i32.const 0x10108) (local.get $depth))
    (i32.store (i32.const 0x1010c) (local.get $hasUnicode))
    (i32.store (i32.const 0x10110) (local.get $string))
    (i32.store (i32.const 0x10114) (i32.wrap_i64 (local.get $isEscaped)))
    (local.get $code)))
