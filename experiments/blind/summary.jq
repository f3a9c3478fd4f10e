# Lines of the study, all of them (-s), as figures and the ten worst cases.
def quantile($q): sort | if length == 0 then null else .[(length - 1) * $q | ceil] end;
def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def figures($name):
    "\($name): \(length) plans; regret mean \(map(.regret) | add / length | percent), 90th \(
      map(.regret) | quantile(0.9) | percent), 95th \(map(.regret) | quantile(0.95) | percent), "
    + "worst \(map(.regret) | max | percent); covered \(
      (map(select(.covered)) | length) / length | percent)";
def errors:
    map(.error | fabs) | "error of the predicted time, upper half, not verified: median \(
        quantile(0.5) | percent), 95th \(quantile(0.95) | percent), worst \(max | percent)";
def worst($n):
    sort_by(-.regret)[:$n][] | "  \(.seed)-\(.program) (\(.kind)) N \(.size)\(
        if .upper then "" else ", lower" end): \(.chosen) \(.seconds) s, predicted \(.predicted); "
        + "best \(.best) \(.best_seconds) s: \(.regret | percent)  [\(.groups)]";
map(select(.failed)) as $failed
| map(select(.failed | not))
| (map(select(.verified | not)) | (map(select(.upper)) | figures("not verified, upper half"),
      errors), figures("not verified, all sizes")),
  (map(select(.verified)) | (map(select(.upper)) | figures("verified, upper half")),
      figures("verified, all sizes")),
  "worst, not verified:", (map(select(.verified | not)) | worst(10)),
  "worst, verified:", (map(select(.verified)) | worst(10)),
  "failed: \($failed | length)", ($failed[] | "  \(.seed)-\(.program): \(.failed)")
