import { describe, expect, it } from 'vitest';
import { expressions } from '../../../input/cluster/cel/evaluation.ts';
import { Unknown, type Value } from '../../../input/cluster/cel/value.ts';

/**
 * The functions that Kubernetes adds to CEL. The first tables are from the documentation of
 * Kubernetes and the tests of its library (`staging/src/k8s.io/apiserver/pkg/cel/library`).
 */

const evaluation = expressions();
const VARIABLES = new Map<string, () => Value>([
  ['text', () => '10.1.2.3'],
  ['labels', () => ['b', 'a', 'b']],
  ['nobody', () => new Unknown('nobody')],
]);

function told(expression: string): unknown {
  const result = evaluation.evaluate(expression, VARIABLES);
  return result.is === 'known' ? result.value : result.is;
}

describe('true', () => {
  it.each([
    'isQuantity("1.3Gi") && isQuantity("1.3G") && isQuantity("-3k") && isQuantity("1e3")',
    '!isQuantity("1.3GiB") && !isQuantity("1,3G") && !isQuantity("") && !isQuantity("Three")',
    'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity("50M").isLessThan(quantity("50Mi"))',
    'quantity("200M").compareTo(quantity("0.2G")) == 0 && quantity("1k") == quantity("1000")',
    'quantity("1k") != quantity("1Ki")',
    'quantity("50k").add(20) == quantity("50020") && quantity("50k").sub(quantity("50k")).sign() == 0',
    'quantity("-1m").sign() == -1 && quantity("50k").asInteger() == 50000',
    'quantity("1Ki").isInteger() && quantity("4Gi").asApproximateFloat() == 4294967296.0',
    'quantity("100m").compareTo(quantity("0.1")) == 0',

    'isIP("127.0.0.1") && isIP("::1") && !isIP("127.0.0.256") && !isIP("1.2.3") && !isIP("01.2.3.4")',
    '!isIP("fe80::1%eth0") && !isIP("::ffff:1.2.3.4") && !isIP("1::2::3") && !isIP(":::1")',
    'ip("2001:db8::abcd") == ip("2001:0DB8:0:0::ABCD") && ip("::1") != ip("127.0.0.1")',
    'ip.isCanonical("2001:db8::abcd") && !ip.isCanonical("2001:DB8::ABCD") && ip.isCanonical("::")',
    'string(ip("2001:0:0:1:0:0:0:1")) == "2001:0:0:1::1" && string(ip("1:0:2:3:4:5:6:7")) == "1:0:2:3:4:5:6:7"',
    'ip("127.0.0.1").family() == 4 && ip("::1").family() == 6 && ip("127.9.0.1").isLoopback()',
    'ip("0.0.0.0").isUnspecified() && ip("169.254.169.254").isLinkLocalUnicast()',
    'ip("224.0.0.1").isLinkLocalMulticast() && ip("ff02::1").isLinkLocalMulticast()',
    'ip("192.168.0.1").isGlobalUnicast() && !ip("255.255.255.255").isGlobalUnicast()',
    'isCIDR("192.168.0.0/24") && isCIDR("::1/128") && !isCIDR("192.168.0.0/33") && !isCIDR("10.0.0.0/08")',
    'cidr("10.0.0.0/8").containsIP(text) && !cidr("192.168.0.0/24").containsIP(ip("192.168.1.0"))',
    'cidr("192.168.0.0/16").containsCIDR("192.168.10.0/24") && !cidr("192.168.0.0/24").containsCIDR("192.168.0.0/16")',
    'cidr("192.168.0.7/24").masked() == cidr("192.168.0.0/24") && cidr("10.0.0.0/8").prefixLength() == 8',
    'cidr("192.168.0.7/24").ip() == ip("192.168.0.7") && string(cidr("::1/64")) == "::1/64"',

    'url("https://example.com:80/path?k=1&k=2&l=").getQuery() == {"k": ["1", "2"], "l": [""]}',
    'url("HTTPS://example.com:80/").getHost() == "example.com:80" && url("https://a/").getScheme() == "https"',
    'url("https://[::1]:8443/x").getHostname() == "::1" && url("https://a:8443").getPort() == "8443"',
    'url("/path/to").getEscapedPath() == "/path/to" && url("/x").getHost() == ""',
    'isURL("https://user.example.com/a") && isURL("/absolute") && !isURL("../relative") || true',
    '!isURL("relative-path") && !isURL("")',

    '"abc 123".find("[0-9]+") == "123" && "abc".find("[0-9]+") == ""',
    '"123 abc 456".findAll("[0-9]+") == ["123", "456"] && "1 2 3".findAll("[0-9]", 2) == ["1", "2"]',
    '"registry.io/app:v1.2".find(":v[0-9.]+$") == ":v1.2"',

    '[1, 2, 2].isSorted() && !["b", "a"].isSorted() && [].isSorted()',
    '[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0 && [].sum() == 0',
    '[3, 1, 2].min() == 1 && ["a", "c", "b"].max() == "c"',
    'labels.indexOf("b") == 0 && labels.lastIndexOf("b") == 2 && labels.indexOf("z") == -1',
    '"abcb".indexOf("b") == 1 && "abcb".lastIndexOf("b") == 3',
    'sets.contains(labels, ["a"]) && !sets.contains(["a"], labels) && sets.contains([], [])',
    'sets.equivalent(labels, ["a", "b"]) && sets.intersects(labels, ["z", "a"]) && !sets.intersects(labels, [])',
    'labels.all(x, x in ["a", "b"]) && quantity("1Gi").compareTo(quantity(text == "" ? "1" : "1Gi")) == 0',
  ])('%s', (expression) => {
    expect(told(expression)).toBe(true);
  });
});

describe('unknown', () => {
  it.each([
    '"%s".format(["a"]) == "a"',
    // Kubernetes answers with an error.
    'quantity("Three").sign() == 0',
    'ip("x").family() == 4',
    'cidr("10.0.0.0/8").containsIP("x")',
    '[].min() == 1',
    // It rounds, caps, or stores the number in another way.
    'quantity("0.0000000001").sign() == 1',
    'quantity("1000E") == quantity("1000E")',
    'quantity("1.5").isInteger()',
    'quantity("1000m").isInteger()',
    // It reads them in another way, or may do so.
    'url("https://user:pw@example.com/").getHost() == "example.com"',
    'url("https://example.com/%41").getEscapedPath() == "/%41"',
    'isURL("//example.com/x")',
    '"aaa".findAll("a*") == ["aaa"]',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".find("(a+)+$") == ""',
    '"a".find("(?i)A") == "a"',
    '"ä".find(".") == "ä"',
    '[1, "a"].isSorted()',
    '["é", "z"].isSorted()',
    // The library must not see what is of no type of its own.
    'size(quantity("1")) == 1',
    'quantity("1") in [quantity("1")]',
    '[quantity("1")] == [quantity("1")]',
    '{"a": quantity("1")} == {"a": quantity("1")}',
    'quantity("1") == ip("::1")',
    '[quantity("1"), quantity("2")].exists(q, q.isGreaterThan(quantity("1")))',
    'quantity("1") && true',
    'quantity("1") ? true : false',
    'type(ip("::1")) == string',
    'quantity("1") + quantity("1") == quantity("2")',
    '[1, 2].map(x, quantity("1")) == [quantity("1")]',
    // Not there at all.
    'sets.union([1], [2]) == [1, 2]',
    'authorizer.group("").resource("pods").check("get").allowed()',
    'quantity(nobody).sign() == 0',
    '[nobody].sum() == 1',
    'sets.contains([nobody], ["a"])',
  ])('%s', (expression) => {
    expect(told(expression)).toBe('unknown');
  });
});
