/** How a language says that a check passed, and what makes such a sentence something else. */
export interface ClaimWords {
  /** What is checked. */
  readonly subject: RegExp;
  readonly success: RegExp;
  /** Denials, conditions, wishes, doubts. */
  readonly hedge: RegExp;
}

/** English, then the languages that models are most often spoken to in. */
export const claimWords: readonly ClaimWords[] = [
  {
    subject:
      /\b(tests?|test suite|specs?|builds?|compiles?|compilation|type-?checks?|lint(s|ing|er)?|everything|all checks|CI|pytest|jest|vitest|mocha|rspec|phpunit|ctest|tox|tsc|eslint|biome|ruff|mypy|clippy|(npm|yarn|pnpm|cargo|go|make|mvn|gradle|dotnet) (test|check|build))\b/i,
    success:
      /\b(pass(es|ed|ing)?|green|succeed(s|ed)?|successful(ly)?|clean(ly)?|compiles|builds|without (any )?errors|no (errors|failures)|0 (errors|failures|failed))\b/i,
    hedge:
      /\b(not|never|no longer|should|would|could|can(not)?|may|might|if|once|when|until|before|please|fail(s|ed|ing|ure)?|unable|untested|unverified|expect(ed)?|will|need(s|ed)?|want|ensure|make sure|run|verify|so that|claim(s|ed)?|assum(e|ed|ing))\b|n['’]t\b|\?/i,
  },
  // German
  {
    subject: words(
      'tests?|testsuite|build|kompilier\\p{L}*|übersetz\\p{L}*|typprüfung|linter|pytest|jest|vitest|npm test',
    ),
    success: words(
      'bestehen|bestanden|besteht|grün|erfolgreich|fehlerfrei|laufen durch|läuft durch|ohne fehler|kompiliert',
    ),
    hedge: words(
      'nicht|keine?[nrs]?|nie|sollte\\p{L}*|könnte\\p{L}*|würde\\p{L}*|müss\\p{L}*|falls|wenn|sobald|bitte|ob|fehlgeschlagen|ungeprüft',
    ),
  },
  // French
  {
    subject: words('tests?|build|compilation|linter|vérifications?|pytest|jest|vitest|npm test'),
    success: words('passent|passe|passés?|réussi\\p{L}*|au vert|verts?|succès|sans erreurs?|compile'),
    hedge: words('pas|ne|n|aucun|jamais|devrai\\p{L}*|pourrai\\p{L}*|si|quand|lorsque|veuillez|échou\\p{L}*|échec'),
  },
  // Spanish and Portuguese
  {
    subject: words('pruebas?|tests?|testes?|build|compilación|compilação|linter|pytest|jest|vitest|npm test'),
    success: words(
      'pasan|pasaron|pasado|passam|passaram|passou|exitos\\p{L}*|éxito|sucesso|en verde|sin errores|sem erros|compila',
    ),
    hedge: words(
      'no|não|nunca|debería\\p{L}*|deveria\\p{L}*|podría\\p{L}*|poderia\\p{L}*|si|se|cuando|quando|fallan?|falharam|por favor',
    ),
  },
  // Russian
  {
    subject: words('тест\\p{L}*|сборк\\p{L}*|компиляци\\p{L}*|проверк\\p{L}*|линтер\\p{L}*'),
    success: words('прошл\\p{L}*|проходят|проходит|успешно|пройден\\p{L}*|без ошибок'),
    hedge: words('не|если|когда|должн\\p{L}*|долж\\p{L}*|бы|пожалуйста|чтобы'),
  },
  // Chinese, Japanese, Korean: words are not set apart.
  {
    subject: /测试|測試|构建|編譯|编译|类型检查|テスト|ビルド|コンパイル|型チェック|테스트|빌드|컴파일/u,
    success: /通过|通過|成功|无错误|パス|通りま|通って|エラーなし|통과|성공/u,
    hedge:
      /未|没|沒|不|无法|如果|应该|應該|请|失败|ません|なかった|ない|はず|もし|れば|失敗|않|못|아직|만약|면 |실패|[?？]/u,
  },
];

/** Whole words of a language that has more letters than ASCII; Unicode's own classes take milliseconds to set up. */
function words(alternatives: string): RegExp {
  const letter = '[a-zà-öø-ÿœа-яё]';
  return new RegExp(`(?<!${letter})(?:${alternatives.replaceAll('\\p{L}', letter)})(?!${letter})`, 'i');
}
