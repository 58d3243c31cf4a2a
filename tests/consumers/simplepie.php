<?php
/** Reads a feed from standard input with WordPress's SimplePie, and writes its items in SimplePie's order, as JSON. */

error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
define('ABSPATH', $argv[1] . '/');
define('WPINC', 'wp-includes');
require ABSPATH . WPINC . '/class-simplepie.php';

$feed = new SimplePie();
$feed->set_raw_data(stream_get_contents(STDIN));
$feed->enable_cache(false);
$feed->init();
echo json_encode(['error' => $feed->error(), 'items' => array_map(fn ($item) => [
    'id' => $item->get_id(),
    'title' => $item->get_title(),
    'link' => $item->get_permalink(),
    'description' => $item->get_description(),
    'content' => $item->get_content(),
    'date' => (int) $item->get_date('U'),
], $feed->get_items())], JSON_THROW_ON_ERROR);
